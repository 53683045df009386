# Two programs with the same six kernels of 20 us.  One waits for each: between two kernels 6 us until it
# knows, 3 us until it launches, 5 us inside the call, 4 us until the kernel starts.  The other waits
# once, at the end: its kernels follow each other within 1 us.
ln -s "$TESTDATA/rocprofv3/7.0" data
kstats gaps -q data/sync_each data/sync_once
kstats gaps -q -f csv data/sync_each data/sync_once
kstats gaps -q --list --name base -n 6 data/sync_each data/sync_once
kstats gaps -q --hist data/sync_each data/sync_once
