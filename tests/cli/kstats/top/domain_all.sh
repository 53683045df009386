# --domain all: every table of a run, eight of 100 us and two of 10: pct is a share of 820 us. The
# class of what is no kernel is its domain.
ln -s "$TESTDATA" data
kstats top -f csv --name base --domain all data/rocprofv3/7.0/run
