# On a terminal the head is bold; nothing of a progress line is left; lines are as wide as the
# terminal (100) at most.
ln -s "$TESTDATA" data
python3 "$ROOT/tests/cli/term.py" 100 xterm kstats top data/rocprofv3/7.0/run/app_kernel_trace.csv
