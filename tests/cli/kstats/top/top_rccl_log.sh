# The calls of a log have no times: they are not counted as nothing.
cd "$TESTDATA/rccl/releases" || exit
kstats top --domain rccl releases.log
