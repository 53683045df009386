# The markers of rocprofv2 carry no thread: what any thread launches counts for them.
kstats regions -f csv "$TESTDATA"/rocprofv2/6.1/run
