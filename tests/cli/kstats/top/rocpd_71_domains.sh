# The other tables of rocpd convert: regions_trace holds all API domains; the agent of FREE rows
# is a cell of one quote, written """", and such rows count (2 x 2 us beside 1+2+3 us).
ln -s "$TESTDATA" data
set -e
for d in hip hsa marker copy alloc scratch; do
	echo "== $d"
	kstats top -f csv --domain "$d" data/rocpd/7.1/run
done
