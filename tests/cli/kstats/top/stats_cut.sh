# Two statistics files that lost their last rows. The Percentage column says what was there: a has
# 60 us of 100, b 60 and 25 of 100, so pct is a share of 200 us.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/cut
