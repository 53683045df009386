# One call has no deviation: an empty cell, not 0 and not a word for none.
cd "$TESTDATA" && kstats top -f csv rocpd/3.0.0/small/70_results.db
