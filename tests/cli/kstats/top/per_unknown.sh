# --per with a word that is none.
ln -s "$TESTDATA" data
kstats top --per agent,device data/rocprofv3/7.0/run/app_kernel_trace.csv
