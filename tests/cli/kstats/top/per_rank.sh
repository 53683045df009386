# The rank is in the path: rank0, rank1.
ln -s "$TESTDATA" data
kstats top -f csv --name base --per rank data/rocprofv3/7.0/ranks
