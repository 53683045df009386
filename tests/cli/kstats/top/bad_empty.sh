# An empty file is no trace.
: >empty.csv
kstats top -f csv --name base empty.csv
