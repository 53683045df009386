# Every other table of rocprofv3 6.2, which names copies without MEMORY_COPY_ and has Alloc_flags.
# Each domain is 100 us (scratch 10) in round shares: hip 50+30+20, hsa 80+15+5, marker 50+40+10
# and a mark that lasts nothing, copy 60+40, scratch 8+2.
ln -s "$TESTDATA" data
set -e
for d in hip hsa marker copy scratch; do
	echo "== $d"
	kstats top -f csv --domain "$d" data/rocprofv3/6.2/run
done
