# Statistics of a run in another directory than its trace, or in an archive: the same calls and times for four names, a 1 call
# of 100 ns, b 200, c 300 and d 400 ns.  They count once: 4 calls, 1000 ns.  One nanosecond more, and they are of another run:
# 8 calls, 2001 ns, with a warning; nor do they count once where two traces may be theirs (12 calls, 3000 ns).
mkdir -p x/trace x/stats
t=1000
for k in a 100 b 200 c 300 d 400; do
	case $k in
	[a-d]) name=$k ;;
	*) echo "KERNEL_DISPATCH,4,$name,$t,$t,$((t += k))" ;;
	esac
done >rows
{ echo 'Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp' && cat rows; } >x/trace/77_kernel_trace.csv
stats() { # FIRST
	printf '"Name","Calls","TotalDurationNs","AverageNs","Percentage"\n"d",1,400,400,40\n"c",1,300,300,30\n"b",1,200,200,20\n"a",1,%d,%d,10\n' "$1" "$1"
}
ask() { kstats top -f csv --columns calls,total_ns "$@" >out; awk -F, 'NR > 1 { n += $1; t += $2 } END { print n, t }' out; }
stats 100 >x/stats/77_kernel_stats.csv && ask x
ask x/stats/77_kernel_stats.csv x/trace/77_kernel_trace.csv
tar cf x/s.tar -C x/stats . && rm -r x/stats && ask x
mkdir y && tar cf y/all.tar -C x . && ask y
rm x/s.tar && mkdir x/stats && stats 101 >x/stats/77_kernel_stats.csv && ask x
stats 100 >x/stats/77_kernel_stats.csv && mkdir x/more
awk -F, -v OFS=, 'NR > 1 { $5++; $6++ } 1' x/trace/77_kernel_trace.csv >x/more/78_kernel_trace.csv
ask x
