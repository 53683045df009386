# A call more than kernels on rank 1, whose log goes on: nothing is joined there, and bytes are absent.
t=$TESTDATA/rccl/2.18/two_ranks
cp "$t"/1_rccl.log more.log
sed -n 's/opCount 1 /opCount 2 /p' "$t"/1_rccl.log >>more.log
kstats ranks --collectives -f csv 0="$t"/0_kernel_trace.csv 0="$t"/0_rccl.log 1="$t"/1_kernel_trace.csv 1=more.log
