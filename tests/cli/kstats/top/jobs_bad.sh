# -j is a number from 1 to 1024.
ln -s "$TESTDATA" data
kstats top -j 0 data/rocprofv3/7.0/run/app_kernel_trace.csv; echo $?
kstats top -j 1025 data/rocprofv3/7.0/run/app_kernel_trace.csv; echo $?
kstats top -j two data/rocprofv3/7.0/run/app_kernel_trace.csv
