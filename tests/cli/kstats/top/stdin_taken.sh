# Where standard input is closed, "-" is no other file that happens to have its number.
ln -s "$TESTDATA" data
kstats top -q -f csv --columns calls data/rocprofv3/7.0/run/app_kernel_trace.csv - <&-; echo $?
kstats top -q -f csv --columns calls - data/rocprofv3/7.0/run/app_kernel_trace.csv <&-; echo $?
tracemerge -q -o run.db - <&-; echo $?
tracemerge <&- >out.db; echo $?
# Nor is the answer written into one.
tracemerge -q data/rocprofv3/7.0/run/app_kernel_trace.csv >&-; echo $?
tracecat -q data/rocprofv3/7.0/run/app_kernel_trace.csv >&-; echo $?
kstats --help >&-
