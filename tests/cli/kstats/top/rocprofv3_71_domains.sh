# Every other table of rocprofv3 7.1, with agents as "GPU 0" and a size at the end of scratch
# rows. The same calls as in 7.0, so the same tables.
ln -s "$TESTDATA" data
set -e
for d in hip hsa marker rccl rocdecode rocjpeg copy alloc scratch; do
	echo "== $d"
	kstats top -f csv --domain "$d" data/rocprofv3/7.1/run
done
