# Good and bad inputs: the good ones are shown, each bad one is named, status 2.
ln -s "$TESTDATA" data
printf "\001\002\377junk" >junk
kstats top -f csv --name base missing.csv data/rocprofv3/7.0/run/app_kernel_trace.csv junk
