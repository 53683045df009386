# Six steps of 1000 ns each by markers, the first of 1900 is warm-up; B has one more kernel call in each and longer
# ones: worked out by hand.
#   A: a step is k 300, k 300, gap 100, m 200, then 100 idle to the end of the step: busy 800, idle 200
#   B: k 330, k 330, k 330, gap 100, m 200, 110 idle: 1400 long; busy 1190, idle 210
# Steps that count: 5 and 5 (A's warm-up; B is told to skip as many).  delta 400 = k 390 + m 0 + idle 10.
#   k: calls 3 for 2 at 300: +300; mean 30 longer, of 3: +90.
# All steps of B are longer than all of A, but none varies: U is 0 of 5 against 5, which cannot reach 0.005, and
# Welch's t has no deviation: no test, so 40 % have to be above 2 x 5 %.
# trace FILE < "name start length" lines: a kernel trace of one agent
trace() {
	mkdir -p "$1"
	{
		echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		awk -v OFS=, "{ print \"KERNEL_DISPATCH\", \"Agent ${2:-1}\", \$1, NR, \$2, \$2 + \$3 }"
	} >"$1/app_kernel_trace.csv"
}
markers() {
	echo Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp
	awk -v OFS=, '{ print "MARKER_CORE_RANGE_API", "step " NR, 1, 1, NR, $1, $1 + $2 }'
}
{
	echo k 10000 1200
	echo k 11200 300
	echo m 11600 200
	for step in 1 2 3 4 5; do
		at=$((11000 + step * 1000 - 100))
		echo k $at 300
		echo k $((at + 300)) 300
		echo m $((at + 700)) 200
	done
} | trace a
{
	echo 10000 1900
	for step in 1 2 3 4 5; do echo $((11000 + step * 1000 - 100)) 1000; done
} | markers >a/app_marker_api_trace.csv
{
	for step in 0 1 2 3 4 5; do
		at=$((50000 + step * 1400))
		echo k $at 330
		echo k $((at + 330)) 330
		echo k $((at + 660)) 330
		echo m $((at + 1090)) 200
	done
} | trace b
for step in 0 1 2 3 4 5; do echo $((50000 + step * 1400)) 1400; done | markers >b/app_marker_api_trace.csv
tracediff --skip 1 a b
tracediff -q --skip 1 --account -f csv a b
# Found out: A's first step is longer than 1.1 times 1000, B has none.
tracediff -q a b | sed -n 2p
