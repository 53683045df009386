# Steps found as repeats of a sequence decide only if they hold the same work in every run.
# run NAME CALLS SEED: 12 steps of as many calls of k, about 30 us each, and one of each of three others
run() {
	mkdir -p "$1"
	{
		echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		awk -v OFS=, -v n="$2" -v seed="$3" '
		function put(name, ns) { print "KERNEL_DISPATCH", "Agent 1", name, ++c, t, t + ns; t += ns + 100 }
		BEGIN {
			t = 1000
			for (s = 0; s < 12; s++) {
				for (i = 0; i < n; i++) put("k", 30000 + (s * 7 + i * 5 + seed) % 11 * 20)
				for (i = 0; i < 3; i++) put("m" i, 2000 + (s * 3 + seed) % 7 * 10)
			}
		}'
	} >"$1/app_kernel_trace.csv"
}
# Seven calls instead of five, 1.4 times as many, are the same step with more work; and turned around.
run five 5 1
run seven 7 2
tracediff -q -f csv --columns name,class,status,delta_ns five seven | tail -n 1
tracediff -q -f csv --columns name,class,status,delta_ns seven five | tail -n 1
# Two instead of one may be two repeats: then the windows are compared, of a history too, which is no error.  It is
# enough that one run of a side has them.  k takes 361200 ns in the median of nine runs, then 722380 in that of three.
for r in 1 2 3 4 5 6 7 8 9; do run "one$r" 1 "$r"; done
for r in 1 2 3; do run "two$r" 2 "$r"; done
tracediff -q -f csv --columns name,class,status one1 one2 one3 -- one4 one5 two1 | tail -n 1
tracediff --history --alpha 0.05 -f csv --columns run,change,change_pct,before_ns,after_ns,name one? two? |
	grep -e change -e regression; echo $?
