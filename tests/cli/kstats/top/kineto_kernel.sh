# A trace of torch.profiler: sums of the kernels' durations to the nanosecond (100.002 us; 20.25 + 3 us).
kstats top -f csv --columns name,calls,total_ns,min_ns,max_ns "$TESTDATA/kineto/7.0/step"
