# Two of four ranks, a log of each beside its kernels.  All-reduce of 262144 floats: 1048576 bytes, factor
# 2 * 3 / 4, shortest 3000 ns (rank 1): 1048576 * 1.5 / 3000 = 524.288.  All-gather of 1000 halfs a rank:
# 2000 * 4 = 8000 bytes, factor 3 / 4, shortest 2000 ns (rank 0): 3.  Waits 4000 - 3000 and 2100 - 2000.
t=$TESTDATA/rccl/2.18/two_ranks
kstats ranks --collectives -f csv 0="$t"/0_kernel_trace.csv 0="$t"/0_rccl.log 1="$t"/1_kernel_trace.csv 1="$t"/1_rccl.log >a || exit
# One log that both wrote: the lines name their ranks.
cat "$t"/0_rccl.log "$t"/1_rccl.log >all.log
kstats ranks --collectives -f csv -q -j 2 all.log 1="$t"/1_kernel_trace.csv 0="$t"/0_kernel_trace.csv >b || exit
cmp a b
kstats ranks --collectives -q 0="$t"/0_kernel_trace.csv 0="$t"/0_rccl.log 1="$t"/1_kernel_trace.csv 1="$t"/1_rccl.log || exit
cat a
