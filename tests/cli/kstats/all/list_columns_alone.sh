# Without a sub-command there is no table.
kstats --list-columns
