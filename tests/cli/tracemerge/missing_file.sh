# One input is not there: said, status 2, the rest is merged.  1 and 2 are the rows of the files.
tracemerge -q -o run.db no/such.csv "$TESTDATA/rocprofv3/7.0/hostile/one_kernel_trace.csv"; echo $?
kstats top -q -f csv --columns name,calls,total_ns run.db
