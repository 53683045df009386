# hcc_ops_trace of rocprofv2 6.1: rows with a kernel name are kernels, those without are copies.
ln -s "$TESTDATA" data
set -e
for d in kernel copy; do
	echo "== $d"
	kstats top -f csv --domain "$d" data/rocprofv2/6.1/ops
done
