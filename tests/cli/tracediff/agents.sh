# Two GPUs against one; allowed it is compared, as a mean over the agents: 100 against 150 ns.
# trace FILE < "name start length" lines: a kernel trace of one agent
trace() {
	mkdir -p "$1"
	{
		echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		awk -v OFS=, "{ print \"KERNEL_DISPATCH\", \"Agent ${2:-1}\", \$1, NR, \$2, \$2 + \$3 }"
	} >"$1/app_kernel_trace.csv"
}
printf '%s\n' 'k 0 40' 'k 60 40' | trace a
printf '%s\n' 'k 0 40' 'k 110 40' | trace b
printf '%s\n' 'k 0 40' 'k 110 40' | trace two 2
mv two/app_kernel_trace.csv b/rank1_kernel_trace.csv
tracediff a b; echo $?
tracediff --allow agents a b
