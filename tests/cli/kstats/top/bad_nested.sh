# gzip in gzip: eight are undone, nine are refused.
ln -s "$TESTDATA" data
set -e
cp data/rocprofv3/7.0/run/app_kernel_trace.csv 0.gz
for i in 1 2 3 4 5 6 7 8 9; do
	gzip -nc $((i - 1)).gz >$i.gz
done
kstats top -f csv --name base 8.gz
set +e
kstats top -f csv --name base 9.gz
