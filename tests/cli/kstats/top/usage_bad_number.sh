# -n with what is no number.
ln -s "$TESTDATA" data
kstats top -n -1 data/rocprofv3/7.0/run/app_kernel_trace.csv; echo $?
kstats top -n 1k data/rocprofv3/7.0/run/app_kernel_trace.csv; echo $?
kstats top -n 99999999999999999999 data/rocprofv3/7.0/run/app_kernel_trace.csv
