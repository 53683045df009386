# One file given as two ranks is two ranks: twice of everything, no duplicate.
ln -s "$TESTDATA" data
kstats top -f csv --name base 0=data/rocprofv3/7.0/run/app_kernel_trace.csv 1=data/rocprofv3/7.0/run/app_kernel_trace.csv
