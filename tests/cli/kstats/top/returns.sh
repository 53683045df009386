# A table of 3 kernels of 10 ns whose lines end in CR alone, as some spreadsheets save it: an error that says what to do, and in a
# directory, next to a table of 2 kernels, a warning.  Converted it is read.
head='Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp'
row() { for i; do echo "KERNEL_DISPATCH,4,k,$i,${i}000,${i}010"; done; }
ask() { kstats top -f csv --columns calls,total_ns "$@"; echo "status $?"; }
{ echo $head && row 1 2 3; } | tr '\n' '\r' >cr.csv
ask cr.csv
mkdir a && cp cr.csv a && { echo $head && row 4 5; } >a/b.csv && ask a
tr '\r' '\n' <cr.csv >lf.csv && ask lf.csv
