# Every other table of rocprofv3 6.3, in ./HOST/PID_*.csv as it is by default; RCCL is new.
# Each domain is 100 us (scratch 10) in round shares.
ln -s "$TESTDATA" data
set -e
for d in hip hsa marker rccl copy scratch; do
	echo "== $d"
	kstats top -f csv --domain "$d" data/rocprofv3/6.3/run
done
