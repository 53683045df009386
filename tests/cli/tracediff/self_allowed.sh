# Allowed, it is neutral, and every row is no change.
ln -s "$TESTDATA/rocprofv3/7.0/run" run
tracediff -q --allow-self -f csv --columns name,status,delta_ns,significant run run
