# Rows below 2 % of both sides are one; nothing is lost of the sums.
# trace FILE < "name start length" lines: a kernel trace of one agent
trace() {
	mkdir -p "$1"
	{
		echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		awk -v OFS=, "{ print \"KERNEL_DISPATCH\", \"Agent ${2:-1}\", \$1, NR, \$2, \$2 + \$3 }"
	} >"$1/app_kernel_trace.csv"
}
printf '%s\n' 'big 0 1000' 'small 1000 10' 'tiny 1010 5' | trace a
printf '%s\n' 'big 0 1000' 'small 1000 10' 'tiny 1010 6' 'grown 1020 300' | trace b
tracediff -q -f csv --min-share 2 --columns name,status,calls_a,calls_b,total_a_ns,total_b_ns a b
# In the breakdown of kernels, too: small takes as long, tiny 1 ns longer in mean, grown is a row of its own.
tracediff -q -f csv --on kernel --account --min-share 2 a b
# The same parts, of which big (0), small and tiny are together; of the whole there is nothing lost.
tracediff -q -f csv --on kernel --account a b
