# What is not done is not offered: ntp and collectives need clocks that no format gives yet.
tracemerge --align ntp "$TESTDATA/rocprofv3/7.0/demo"
