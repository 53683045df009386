# The verdict is a row, and a note.
cd "$TESTDATA/rocprofv3/7.0" || exit 2
tracediff -f json sync_each sync_once
