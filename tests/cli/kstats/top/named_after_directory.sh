# A file that is named has to be a trace, also where its directory is named, too, in any order; a path given twice says so.
mkdir d && cp "$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv" d/1_kernel_trace.csv && : >d/e.csv
kstats top -f csv --columns calls d d/e.csv; echo $?
kstats top -f csv --columns calls d/e.csv d; echo $?
kstats top -q -f csv --columns calls d
