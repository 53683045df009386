# Nobody reads: an error, not silence.
cd "$TESTDATA/rocprofv3/7.0" || exit 2
tracediff -q sync_each sync_once >&-
