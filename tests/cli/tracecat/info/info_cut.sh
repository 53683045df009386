# A cut file has a long reason: that is on standard error already, and on a page for people it does not drive out
# what the other columns say.  Where there is room for all of them, it is there too.
head -c 700 "$TESTDATA/rocprofv3/7.0/hostile/cut_kernel_trace.csv" >a_kernel_trace.csv
tracecat info a_kernel_trace.csv; echo "status $?"
COLUMNS=400 tracecat info -q a_kernel_trace.csv
