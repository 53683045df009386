# --columns and -s also take the headings of the text table, in any case; a name goes before a heading.
set -- "$TESTDATA/rocprofv3/7.0/sync_each" "$TESTDATA/rocprofv3/7.0/sync_once"
kstats gaps -q --columns RANK,gaps,IDLE%,+host -s 'idle%' "$@"
kstats gaps -q -f csv --columns Rank,IDLE "$@"
# As they are printed, with sign and unit, too, and without the sign; what is only like one is suggested.
kstats gaps -q --columns '+HOST us,launch,Idle us' -s 'IDLE us' "$1"
kstats top -q -n 1 --columns 'TOTAL us,name' "$1"
kstats top -q -s total_n "$1"
