# Statistics files of rocprofv3 6.3 (hip_api_stats, rccl_api_stats ...): quantiles are absent, all
# else as in the trace.
ln -s "$TESTDATA" data
set -e
for d in kernel hip hsa marker rccl copy; do
	echo "== $d"
	kstats top -f csv --domain "$d" data/rocprofv3/6.3/stats
done
