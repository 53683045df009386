# rocprofv3 6.2 writes no times into its counter collection: three dispatches (six rows), none to
# be timed. The advice for rocprof v1 would be no help here.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/6.2/pmc
