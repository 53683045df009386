# Ranks are taken from the names of members.
ln -s "$TESTDATA" data
set -e
tar -cf t.tar -C data/rocprofv3/7.0 ranks/rank0 ranks/rank1
kstats top -f csv --name base --per rank t.tar
