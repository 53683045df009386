# For a merge request.
cd "$TESTDATA/rocprofv3/7.0" || exit 2
tracediff -q -f md --columns name,status,delta_ns sync_each sync_once
