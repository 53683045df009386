# Each explained in its row, none joined: of eight rounds of seven kernels
#   up       renamed to up_v2, between the same kernels, as often
#   whole    split into whole_a and whole_b, which run where it ran
#   left     gone;  fresh    new
#   slow     half as long again in every call, though the run is faster
# trace FILE < "name start length" lines: a kernel trace of one agent
trace() {
	mkdir -p "$1"
	{
		echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		awk -v OFS=, "{ print \"KERNEL_DISPATCH\", \"Agent ${2:-1}\", \$1, NR, \$2, \$2 + \$3 }"
	} >"$1/app_kernel_trace.csv"
}
at=0
run() { # NAME:LENGTH ... eight times, one after the other
	at=0
	for round in 1 2 3 4 5 6 7 8; do
		for kernel; do
			length=$((${kernel#*:} + round * 7 % 5))
			echo "${kernel%:*} $at $length"
			at=$((at + length + 10))
		done
	done
}
run first:50000 up:40000 mid:30000 whole:60000 rest:30000 left:90000 slow:40000 | trace a
run fresh:10000 first:50000 up_v2:40000 mid:30000 whole_a:30000 whole_b:30000 rest:30000 slow:60000 | trace b
tracediff -q --on window -f csv --columns name,status,delta_ns,significant,note a b
