# --pager: on a terminal the answer goes through the pager, which is told that colors pass; without a terminal,
# and with none that runs, it is just printed.
f=$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv
term() { python3 "$ROOT/tests/cli/term.py" 100 dumb kstats top -n 1 --columns class,calls --pager "$f"; }
PAGER='sed "s/^/$LESS $LV: /"' term
PAGER=no-such-program-here term 2>&1 | grep -v no-such
PAGER=cat term
PAGER='sed s/^/paged:/' kstats top -n 1 --columns class,calls --pager "$f"
