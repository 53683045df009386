# The agent of a sensor is called so where its name is a number, or "rank 0, 1" would read as two ranks.
COLUMNS=100 kstats -q "$TESTDATA/rocpd/3.0.0/rocprof-sys" >screen || exit
grep '^power' screen
# At 40 columns it takes two lines.
COLUMNS=40 kstats -q "$TESTDATA/rocpd/3.0.0/rocprof-sys" >screen || exit
sed -n '/^power/,/^target/p' screen
