# csv is csv on a terminal too.
ln -s "$TESTDATA" data
python3 "$ROOT/tests/cli/term.py" 40 xterm kstats top -f csv --name base data/rocprofv3/7.0/run/app_kernel_trace.csv
