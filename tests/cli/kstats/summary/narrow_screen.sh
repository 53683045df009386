# At 40 columns no line above the kernels but a command is longer, and the labels of a bar take as many lines as they need.  The name of a GPU that
# fits on no line is broken between characters, not bytes: 60 letters of two bytes, 78 columns with what is before and behind them.
cp "$TESTDATA/rocprofv3/7.0/run"/*.csv . || exit
COLUMNS=40 kstats -q . >screen || exit
sed -e '/ PCT /,$d' -e '/^      kstats/d' screen | awk 'length > 40 { print "too long: " $0 }'
sed -n '/^GPU/,/by call/p' screen
# Nor at 30, where savings of findings and the length of a bin have lines of their own.
COLUMNS=30 kstats -q . >screen || exit
sed -e '/ PCT /,$d' -e '/^      kstats/d' screen | awk 'length > 30 { print "too long: " $0 }'
sed -n -e '/^time/,/each/p' -e '/^!/,/kstats/p' screen
COLUMNS=30 kstats timeline -q --chart . | awk 'length > 30 { print "too long: " $0 }'
e=éééééééééé
sed "s/Example GPU/$e$e$e$e$e$e/g" app_agent_info.csv >x && mv x app_agent_info.csv || exit
LC_ALL=C.UTF-8 python3 "$ROOT/tests/cli/term.py" 45 dumb kstats -q . >screen || exit
head -n 4 screen
