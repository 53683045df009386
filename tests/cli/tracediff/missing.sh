# A run that is not there is no win for the other.
tracediff "$TESTDATA/rocprofv3/7.0/run" nowhere
