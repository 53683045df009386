# As people see it.
ln -s "$TESTDATA" data
kstats memory data/rocprofv3/7.0/run data/rocprofv3/7.1/run
kstats memory -q --list data/rocprofv3/7.0/run
