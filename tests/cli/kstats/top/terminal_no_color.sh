# NO_COLOR, and a dumb terminal: no escapes at all.
ln -s "$TESTDATA" data
set -e
NO_COLOR=1 python3 "$ROOT/tests/cli/term.py" 100 xterm kstats top data/rocprofv3/7.0/run/app_kernel_trace.csv >a
python3 "$ROOT/tests/cli/term.py" 100 dumb kstats top data/rocprofv3/7.0/run/app_kernel_trace.csv >b
cmp a b
cat a
# An empty NO_COLOR says nothing: bold titles.
NO_COLOR='' python3 "$ROOT/tests/cli/term.py" 100 xterm kstats top -n 1 data/rocprofv3/7.0/run/app_kernel_trace.csv
