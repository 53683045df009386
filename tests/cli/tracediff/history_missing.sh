# A history has no sides A and B: a run that cannot be opened is said to have no kernels as what it is.
t=$TESTDATA/rocprofv3/7.0
tracediff -q --history "$t"/sync_each "$t"/sync_once nothing; echo $?
