# Three repeats of two kernels of 20 us, all waited for in A, the last only in B: 210 and 125 us.  The kernels are as
# they were; of 85 us less idle time 30 were waiting, 15 the host, 25 launching, 15 the device: each of the causes of
# kstats gaps, A less B.  Measured once, so 40 % have to be above 6 %.
cd "$TESTDATA/rocprofv3/7.0" || exit 2
tracediff sync_each sync_once
