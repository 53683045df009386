# --on kernel: the verdict never contradicts the sum, and B against A mirrors A against B.
verdict() { # A B: of both directions
	tracediff -q --on kernel --fail-over 5 "$1" "$2" >out; echo "$1 $2: $?"
	head -n 1 out
	tracediff -q --on kernel --fail-over 5 "$2" "$1" >out; echo "$2 $1: $?"
	head -n 1 out
}
# trace FOLDER < "name length" lines, one after the other
trace() {
	mkdir -p "$1"
	{
		echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		awk -v OFS=, '{ print "KERNEL_DISPATCH", "Agent 1", $1, NR, 10 + t, 10 + t + $2; t += $2 + 1000 }'
	} >"$1/app_kernel_trace.csv"
}
calls() { for i in $(seq "$1"); do echo "$2 $(($3 + i % 7 * 100))"; done; }
# Statistics: one call of 1 ms became two of 0.5 ms.  That is no change, although the calls say +1 ms.
h='"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
mkdir s1 s2
printf '%s\n' "$h" 'gemm,100,10000000,100000,90.909091,99000,101000,500' \
	'once,1,1000000,1000000,9.090909,1000000,1000000,0' >s1/a_kernel_stats.csv
printf '%s\n' "$h" 'gemm,100,10000100,100001,90.909173,99000,101000,500' \
	'once,2,1000000,500000,9.090827,500000,500000,0' >s2/a_kernel_stats.csv
verdict s1 s2
# 2 calls of 100 us, then 3 of 40: 80 us less, though called more; that the calls are shorter is not sure.
printf '%s\n' 'gemm 100000' 'gemm 100000' 'other 1000000' | trace a
printf '%s\n' 'gemm 40000' 'gemm 40000' 'gemm 40000' 'other 1000000' | trace b
verdict a b
# Every call 8 % longer, but one outlier of 1 ms in A makes the mean of A longer: neither slower nor faster is sure.
{ echo gemm 1000000; calls 39 gemm 100000; } | trace c
calls 40 gemm 108000 | trace d
verdict c d
tracediff -q --on kernel -f csv --columns name,significant,note c d
# One kernel of 2 % of the time is surely slower, and nothing else changed: found.
{ calls 40 small 10000; calls 40 big 500000; } | trace e
{ calls 40 small 13000; calls 40 big 500000; } | trace f
verdict e f
# The same, but the rest took less by chance: all together are not slower.
{ calls 40 small 13000; calls 40 big 496000; } | trace g
verdict e g
# Called twice as often, as long: the calls are counted.
{ calls 40 small 10000; calls 80 big 500000; } | trace i
verdict e i
