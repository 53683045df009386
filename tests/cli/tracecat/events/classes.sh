# Rules of one's own.
printf 'mine\tvecAdd\n' >rules
tracecat -q --classes rules --kind kernel --columns class,name "$TESTDATA/rocprofv3/7.0/run"
