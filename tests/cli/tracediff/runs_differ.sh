# Sides with different numbers of runs: what differs is told of the mean run.  100 calls a run; by hand, us a call:
#   A/A    100.0, 100.1 against 100.02, 99.95, 99.98: neutral, whatever the sums are
#   slower 100.0, 100.1, 99.9 against 120, 120.1: +20.05 %, though the sum of three is larger than that of two
h='"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
run() { printf '%s\n"k1",100,%d00,%d,100,%d,%d,50\n' "$h" "$2" "$2" "$2" "$2" >"$1_kernel_stats.csv"; }
run a1 100000
run a2 100100
run a3 99900
run b1 100020
run b2 99950
run b3 99980
run c1 120000
run c2 120100
s=_kernel_stats.csv
tracediff --fail-over 5 a1$s a2$s -- b1$s b2$s b3$s
echo "status $?"
tracediff -q -f csv --fail-over 5 a1$s a2$s a3$s -- c1$s c2$s
echo "status $?"
# A kernel of another name that is called as often in a run may be the same one.
for r in a1 a2; do sed '2{p;s/k1/gemm_tile_128/}' $r$s >d_$r$s; done
sed '2{p;s/k1/gemm_tile_256/}' b1$s >e$s
tracediff -q -f csv --columns name,calls_a,calls_b,note d_a1$s d_a2$s -- e$s
