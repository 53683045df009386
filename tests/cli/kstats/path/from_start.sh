# For people the path counts from the beginning of its window, and regions from the first operation of the rank's GPUs:
# sync_each begins 9 us before its first kernel.  With -w, and for machines, times are those of the clock.
cd "$TESTDATA/rocprofv3/7.0" || exit
kstats path --list -q -n 3 sync_each
kstats path --list -q -n 3 -w 0%..50% sync_each
kstats path --list -q -n 3 -f csv sync_each
cd "$TESTDATA/kineto/2.9" || exit
COLUMNS=200 kstats regions -q -n 1 --columns region,first_ns,last_ns steps
kstats regions -q -n 1 --columns region,first_ns,last_ns -f csv steps
kstats regions --list -q -n 2 --columns region,numbers,start_ns train
