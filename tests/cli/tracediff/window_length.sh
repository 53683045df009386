# A step is a gemm of 100 us and a norm of 20 us; A has 3 of them, too few to compare steps, in 360 us.  A window of
# fewer or more steps is no faster or slower for that:
#   short: 2 steps in 240 us, which is 360 us for 3: inconclusive.
#   cut: it ends within its second step, after 220 us: gemm 2/3 and norm 1/3 times as often, so that 3 steps are 330
#      (faster) to 660 us (slower): inconclusive.
#   slow: 2 steps of 180 us, 360 us, or 540 for 3: the window alone says no change, but it is inconclusive.
#   long: 6 steps of 220 us, 1320 us; or 660 for 3: slower by 83.3 % at least, so more than 83 and not more than 84.
#   norms: 10 norms in each of 3 steps, 900 us: only the norm is called more often, so it is slower, by 150 %.
# Who asks for the window says that both runs do the same work: short is faster then, by a third.
run() { # NAME STEPS GEMM_US NORMS GEMMS_LAST
	mkdir "$1"
	awk -v steps="$2" -v gemm="$3" -v norms="$4" -v last="${5:-0}" '
		function put(name, us) {
			printf "KERNEL_DISPATCH,Agent 1,%s,%d,%d,%d\n", name, ++n, t, t + us * 1000
			t += us * 1000
		}
		BEGIN {
			print "Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp"
			for (i = 0; i < steps; i++) {
				put("gemm", gemm)
				for (k = 0; k < norms; k++)
					put("norm", 20)
			}
			for (i = 0; i < last; i++)
				put("gemm", gemm)
		}' >"$1/app_kernel_trace.csv"
}
run a 3 100 1
run short 2 100 1
run cut 1 100 1 1
run slow 2 160 1
run long 6 200 1
run norms 3 100 10
for b in short cut slow long norms; do
	tracediff -q --fail-over 83 a $b | sed -n '1p; /^verdict/p'
	tracediff -q $b a | sed -n '/^verdict/p'
done
tracediff -q --fail-over 84 a long >/dev/null
tracediff -q --on window a short | sed -n '1p; /^verdict/p'
