# The columns of the table, those of --per first.
kstats top --list-columns
