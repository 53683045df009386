# Every other table of rocprofv3 7.0: agents are "Agent 4", FREE rows have neither agent nor size
# and count like others (2 x 2 us beside 1+2+3 us of ALLOCATE).
ln -s "$TESTDATA" data
set -e
for d in hip hsa marker rccl rocdecode rocjpeg copy alloc scratch; do
	echo "== $d"
	kstats top -f csv --domain "$d" data/rocprofv3/7.0/run
done
