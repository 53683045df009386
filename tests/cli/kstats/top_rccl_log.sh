# The calls of a log have no times: they are not counted as nothing.
cd "$TESTDATA/rccl/releases" && kstats top --domain rccl releases.log
