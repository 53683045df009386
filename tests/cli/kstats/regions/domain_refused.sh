# Regions and operators have the time of GPUs: of kernels, of copies, or of both.  Calls, markers and allocations have none.
for m in regions ops; do
	kstats $m --help | grep -A 1 -e --domain
	for d in hip hsa marker alloc scratch; do
		kstats $m --domain $d "$TESTDATA/rocprofv3/7.0/run"
	done
done
