# 40 columns: what a line of bars is about goes below it, so that no row of the page is wider than the terminal.
COLUMNS=40 kstats kernel -q vecAdd "$TESTDATA/rocprofv3/7.0/sync_each" | sed '/^not in the input/,$d' >page
awk 'length > 40' page
grep -A1 '^median ' page
