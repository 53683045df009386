# The same for a counter collection of another run: it too is added up, and that is said.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/pmc data/rocprofv3/7.0/stats
