# Several runs of a side: the noise is that between runs.  Within each run every call takes the same, which would
# look sure; but runs of A are 100, 112, 90, 108, those of B 110, 95, 118, 104 us: no difference.
#   Means 102.5 and 106.75, squared deviations 281 and 280.75 (of 3 degrees): t = 4.25 / sqrt(93.667 / 4 + 93.583 / 4)
#   = 0.621 of 6 degrees, p = 0.557.  With 4 against 4, U could not reach 0.005.
# Then B 40 us longer: t = 44.25 / 6.842 = 6.467, p = 0.00065.
# trace FILE < "name start length" lines: a kernel trace of one agent
trace() {
	mkdir -p "$1"
	{
		echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		awk -v OFS=, "{ print \"KERNEL_DISPATCH\", \"Agent ${2:-1}\", \$1, NR, \$2, \$2 + \$3 }"
	} >"$1/app_kernel_trace.csv"
}
run() { # FOLDER us
	for i in 0 1 2 3 4 5 6 7 8 9; do echo k $((i * $2 * 1000 + $3)) $(($2 * 1000)); done | trace "$1"
}
run a1 100 1; run a2 112 2; run a3 90 3; run a4 108 4
run b1 110 5; run b2 95 6; run b3 118 7; run b4 104 8
run c1 150 9; run c2 135 10; run c3 158 11; run c4 144 12
tracediff -q a1 a2 a3 a4 -- b1 b2 b3 b4
tracediff -q a1 a2 a3 a4 -- c1 c2 c3 c4
# One run of a side is taken to be as noisy as the other's: 90, 100, 108, 112 deviate by 6 from their median of 104 by
# half, so three deviations are 3 * 1.4826 * 6 * sqrt 2 = 37.7 us.
tracediff -q a1 a2 a3 a4 -- c3 | tail -n 1
tracediff -q a1 a2 a3 a4 -- c2 | tail -n 1
