# --fail-over: 1 when slower by more; 0 when not, or faster; 2 stays 2.
# trace FILE < "name start length" lines: a kernel trace of one agent
trace() {
	mkdir -p "$1"
	{
		echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		awk -v OFS=, "{ print \"KERNEL_DISPATCH\", \"Agent ${2:-1}\", \$1, NR, \$2, \$2 + \$3 }"
	} >"$1/app_kernel_trace.csv"
}
for i in 0 1 2 3 4 5; do echo k $((i * 100000)) 90000; done | trace a
for i in 0 1 2 3 4 5; do echo k $((i * 125000)) 90000; done | trace b
tracediff -q --on window --fail-over 10 a b >out; echo $?
tail -n 1 out
tracediff -q --on window --fail-over 50 a b >out; echo $?
tracediff -q --on window --fail-over 10 b a >out; echo $?
tail -n 1 out
tracediff -q --fail-over 10 a a >out 2>err; echo $?
# A floor of 30 % makes 24 % nothing, --floor 1 leaves it something.
tracediff -q --on window --floor 30 a b | tail -n 1
tracediff -q --on window --floor 1 a b | tail -n 1
