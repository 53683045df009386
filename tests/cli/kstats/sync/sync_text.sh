# As people see it.
ln -s "$TESTDATA" data
kstats sync data/rocprofv3/7.0/run data/rocprofv3/6.2/run
