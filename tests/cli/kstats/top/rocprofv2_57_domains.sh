# The other tables of rocprofv2 5.7. roctx_trace has points in time: "step 0" is pushed and popped
# 40 us later, "step 1" 50 us, range 1 is open for 10 us, "checkpoint" is a mark. async_copy has
# one name for all copies.
ln -s "$TESTDATA" data
set -e
for d in hip hsa marker copy; do
	echo "== $d"
	kstats top -f csv --domain "$d" data/rocprofv2/5.7/run
done
