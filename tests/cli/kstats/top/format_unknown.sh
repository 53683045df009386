# A format that is none; one that is nearly one.
ln -s "$TESTDATA" data
kstats top -f xml data/rocprofv3/7.0/run/app_kernel_trace.csv; echo $?
kstats top -f cs data/rocprofv3/7.0/run/app_kernel_trace.csv
