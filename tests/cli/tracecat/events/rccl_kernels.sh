# Kernel lines in every form: rank, block, then channel and thread.  The AllReduce of rank 170 goes on with a
# Broadcast (CL), whose count is that of its end; only its first thread counts.  A kernel of sends and
# receives has two counts, and its end may have one.  The third never ends (another count: 2 losses), and
# four lines are none.
cd "$TESTDATA/rccl/releases" || exit
tracecat --columns kind,name,start_ns,end_ns kernels.log
tracecat info -q -f csv --columns producer,rows,skipped,skipped_why kernels.log
