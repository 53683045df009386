# The same for a script: parts that add up to -85000.
cd "$TESTDATA/rocprofv3/7.0" || exit 2
tracediff -q --account -f csv sync_each sync_once
tracediff -q --account -f csv sync_each sync_once | awk -F, 'NR > 1 { sum += $4 } END { print sum }'
