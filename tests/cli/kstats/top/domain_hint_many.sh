# The text of rocprofv2 may hold several domains: all are named.
ln -s "$TESTDATA" data
kstats top -f csv --name base data/rocprofv2/6.1/cli/trace.txt
