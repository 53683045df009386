# json: one object, versioned; what is absent is null (one call has no deviation).
ln -s "$TESTDATA" data
kstats top -f json --name base data/rocprofv3/7.0/hostile/one_kernel_trace.csv
