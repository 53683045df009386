# No operand and standard input is a terminal: nobody is left waiting.
python3 "$ROOT/tests/cli/term.py" 80 dumb kstats top
