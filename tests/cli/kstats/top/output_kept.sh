# Nothing could be read: an old file is not overwritten with an empty table.
echo old >out.csv
kstats top -f csv --name base -o out.csv missing.csv
status=$?
cat out.csv
exit $status
