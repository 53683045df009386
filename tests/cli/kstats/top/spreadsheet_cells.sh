# A spreadsheet adds empty cells where another row has more: k takes 100 + 200 ns, l 300 ns.  Not every row has them.  A cell
# with something in it has no column: that row is skipped.  Fields between semicolons, tabs or bars are not read, and that is said.
cat >a.csv <<'END'
Kind,Agent_Id,Kernel_Name,Start_Timestamp,End_Timestamp,
KERNEL_DISPATCH,4,k,1000,1100,,
KERNEL_DISPATCH,4,"k",2000,2200
KERNEL_DISPATCH,4,l,3000,3300,
KERNEL_DISPATCH,4,m,4000,4400,,why
END
sed 's/$/\r/' a.csv >b.csv
printf 'Name,Calls,TotalDurationNs,AverageNs,Percentage,,\nk,1,5,5,50,,\nl,1,5,5,50,,\n' >kernel_stats.csv
kstats top -f csv --columns name,calls,total_ns a.csv
kstats top -f csv --columns name,calls,total_ns b.csv
kstats top -f csv --columns name,calls,total_ns kernel_stats.csv
tr , ';' <a.csv >d.csv && kstats top d.csv; echo "status $?"
tr , '\t' <a.csv >d.csv && kstats top d.csv; echo "status $?"
tr , '|' <a.csv >d.csv && kstats top d.csv; echo "status $?"
tr , ';' <kernel_stats.csv >d.csv && kstats top d.csv; echo "status $?"
