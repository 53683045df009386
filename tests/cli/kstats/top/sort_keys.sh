# Each sort key, largest first, but names in order. gemm_tile: 2 x 30 us; the fill: 3 x 10 us, no
# deviation; vecAdd: 4 x 2.5 us.
ln -s "$TESTDATA" data
set -e
for key in total calls avg min p50 p90 p99 max stddev name; do
	echo "== $key"
	kstats top -f csv --name base --columns name -s $key data/rocprofv3/7.0/run/app_kernel_trace.csv
done
