# What is not done is not offered: realtime and collectives need clocks that no format gives yet.
tracemerge --align realtime "$TESTDATA/rocprofv3/7.0/demo"
