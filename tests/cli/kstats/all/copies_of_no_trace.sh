# Two equal files that are not traces: neither counts, and the directory has no trace.  Next to the traces
# of two ranks they are no duplicates that the user has to know of, but -v names both.
mkdir none
echo 'seed: 1' | tee none/a.yaml > none/b.yaml
kstats none
echo "status $?"
cp -r "$TESTDATA/rocprofv3/7.0/ranks" ranks
for rank in 0 1; do echo 'seed: 1' > ranks/rank$rank/config.yaml; done
kstats top -f csv --per rank --columns rank,name,calls ranks
kstats top -v -f csv --columns name ranks 2>&1 > /dev/null | grep yaml
