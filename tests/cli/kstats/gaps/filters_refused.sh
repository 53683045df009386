# Idle time between some of the kernels is not idle time: refused, not answered.
for o in -ka --class=gemm --stream=1 --thread=1; do
	kstats gaps "$o" "$TESTDATA/rocprofv3/7.0/run"
done
kstats sync --agent 4 "$TESTDATA/rocprofv3/7.0/run"
kstats top --stream 5-3 "$TESTDATA/rocprofv3/7.0/run"
kstats top -k '(' "$TESTDATA/rocprofv3/7.0/run"
kstats top --class gem "$TESTDATA/rocprofv3/7.0/run"
tracediff -k a "$TESTDATA/rocprofv3/7.0/run" "$TESTDATA/rocprofv3/7.0/demo"
powerstats --rank 0 "$TESTDATA/madengine/2.0/power"
