# Statistics files of rocprofv3 6.2 (hip_stats, hsa_stats ...) hold no single calls: quantiles are
# absent, not zero. All else as the trace of the same run gives it.
ln -s "$TESTDATA" data
set -e
for d in kernel hip hsa marker copy; do
	echo "== $d"
	kstats top -f csv --domain "$d" data/rocprofv3/6.2/stats
done
