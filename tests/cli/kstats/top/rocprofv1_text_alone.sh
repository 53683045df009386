# Without hip_api_trace.txt beside it a kernel has the name of its operation, but for CopyTile, which has
# none that tells it from a copy; the barrier that is asked for is unknown, too.
cp "$TESTDATA/rocprofv1/6.2/text_hip/7001_hcc_ops_trace.txt" .
kstats top -f csv --columns name,calls,total_ns 7001_hcc_ops_trace.txt
kstats top -q -f csv --domain copy --columns name,calls,total_ns - <7001_hcc_ops_trace.txt
