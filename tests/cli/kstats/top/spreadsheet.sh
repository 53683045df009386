# A spreadsheet saves what it shows: of a time 3 to 6 digits.  That is no time: the rows are skipped, and that is said.  What has
# all its digits counts, also with an exponent: 1.4000000001E+13 to 1.40000000013E+13 is 3 ns; and 17e15 as pandas writes it.
cat >a.csv <<'END'
Kernel_Name,Start_Timestamp,End_Timestamp
k,1.40E+13,1.40E+13
k,1.4000000001000E+13,1.4000000001003E+13
k,14000000002000,1.40001E+13
l,1.7e+16,17000000000000005
END
kstats top -f csv --columns name,calls,total_ns a.csv
grep -v l, a.csv | grep -v 001003 >b.csv && kstats top b.csv; echo "status $?"
printf '"Name","Calls","TotalDurationNs","AverageNs","Percentage"\n"k",2,1.23E+11,6.2E+10,100\n"l",1,5,5,0\n' >kernel_stats.csv
kstats top -f csv --columns name,calls,total_ns kernel_stats.csv
