# The file ends inside line 7: the five rows before count (10+20+1+2+10 us), and the user is told.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/hostile/cut_kernel_trace.csv
