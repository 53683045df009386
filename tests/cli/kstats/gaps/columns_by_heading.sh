# --columns and -s also take the headings of the text table, in any case; a name goes before a heading.
set -- "$TESTDATA/rocprofv3/7.0/sync_each" "$TESTDATA/rocprofv3/7.0/sync_once"
kstats gaps -q --columns RANK,gaps,IDLE%,+host -s 'idle%' "$@"
kstats gaps -q -f csv --columns Rank,IDLE "$@"
