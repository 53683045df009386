# --pager: on a terminal the answer goes through the pager, which is told that colors pass; without a terminal,
# and with none that runs, it is just printed.
f=$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv
term() { PAGER=$1 python3 "$ROOT/tests/cli/term.py" 100 dumb kstats top -n 1 --columns class,calls --pager "$f"; }
cat >page <<"END"
#!/bin/sh
sed "s/^/$LESS $LV: /"
END
chmod +x page
term ./page
term no-such-program-here 2>&1 | grep -v no-such
term 'cat'
PAGER='sed s/^/paged:/' kstats top -n 1 --columns class,calls --pager "$f"
