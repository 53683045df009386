# Every format with what it is, in two columns.
kstats --list-formats
