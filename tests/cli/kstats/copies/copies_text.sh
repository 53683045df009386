# As people see it: rates where sizes are known, no kernels to hide anything in the second.
ln -s "$TESTDATA" data
kstats copies data/perfetto-sdk/44/tiny/tiny.pftrace
kstats copies data/rocprofv3/7.0/run/app_memory_copy_trace.csv
