# Without --per rank, ranks are added up: comm 2 x 5 + 2 x 9 us.
ln -s "$TESTDATA" data
kstats top -f csv --name base data/rocprofv3/7.0/ranks
