# Blank lines, a byte order mark and UTF-16 in front of a table are no binary data.
head='"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
row='"KERNEL_DISPATCH",4,"a(int, float)",1,100,110'
mark=$(printf '\357\273\277')
printf '\n%s\n%s\n' "$head" "$row" >blank.csv
printf '\r\n \r\n%s\r\n%s\r\n' "$head" "$row" >crlf.csv
printf '%s\n\n%s\n%s\n' "$mark" "$head" "$row" >mark.csv
printf '%s%s\n%s\n' "$mark" '"Name","Calls","TotalDurationNs"' '"a(int, float)",1,10' >stats.csv
printf '\n%s\n%s\n' '"Name","Calls","TotalDurationNs"' '"a(int, float)",1,10' >blank_stats.csv
printf '%s%s\n' "$mark" 'Dispatch_ID(1), GPU_ID(4), Kernel_Name("a(int, float)"), Begin_Timestamp(100), End_Timestamp(110)' >v2.txt
{ printf '\377\376'; sed 's/./&\n/g' blank.csv | awk '{ printf "%s@", $0 == "" ? "\n" : $0 }' | tr '@' '\0'; } >wide.csv
for f in blank crlf mark stats blank_stats; do
	kstats top -q -f csv --columns calls,total_ns,name $f.csv
done
kstats top -q -f csv --columns calls,total_ns,name v2.txt
kstats top -q -f csv --columns calls,total_ns,name wide.csv
