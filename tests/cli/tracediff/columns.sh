# Through a pipe the lines above the table are whole, for scripts, unless COLUMNS says how wide they may be; the last line is
# whole in any case.
data=$TESTDATA/rocprofv3/7.0
tracediff -q "$data/sync_each" "$data/sync_once" | awk 'NR < 3 || /^verdict: / { print length, $0 }'
COLUMNS=80 tracediff -q "$data/sync_each" "$data/sync_once" | awk 'NR < 3 || /^verdict: / { print length, $0 }'
