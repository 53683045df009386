# Lambdas of one function are two kernels on either side, #1 and #2.  Where B has a third above the last, which
# renumbers it, #3 of A is #4 of B: one name of each side without its mark.  Of g both sides have two that the
# other has not: which is which cannot be told.
row()
{
	printf '"void run<%s()::{lambda(int)#%d}>(int)",10,%d0,%d,10,%d,%d,0\n' "$1" "$2" "$3" "$3" "$3" "$3"
}
head='"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
{ echo "$head"; row f 1 1000; row f 2 2000; row f 3 3000; row g 1 400; row g 2 500; } >a_kernel_stats.csv
{ echo "$head"; row f 1 1000; row f 2 2000; row f 4 3000; row g 3 400; row g 4 500; } >b_kernel_stats.csv
tracediff -q -f csv --columns name,status,calls_a,calls_b,total_a_ns,total_b_ns a_kernel_stats.csv b_kernel_stats.csv
