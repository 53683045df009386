# Every statistics file of rocprofv3 7.0: which domain a file is of is known from its names.
# Quantiles are absent, all else as in the traces.
ln -s "$TESTDATA" data
set -e
for d in kernel hip hsa marker rccl rocdecode rocjpeg copy alloc scratch; do
	echo "== $d"
	kstats top -f csv --domain "$d" data/rocprofv3/7.0/stats
done
