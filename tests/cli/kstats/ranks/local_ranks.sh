# Two nodes with two processes each, called by their rank on the node: kernels of 10, 20, 30 and 40 ns.  They are four ranks, in
# the order of the inputs, for each tool.  On one node the words are the ranks, and so is what the user says.
head=Kind,Agent_Id,Thread_Id,Dispatch_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
table() { # DIRECTORY NS
	mkdir -p "$1" && { echo $head && echo "KERNEL_DISPATCH,4,9,1,k,1,1000,$((1000 + $2))"; } >"$1/t_kernel_trace.csv"
}
ask() { kstats timeline -f csv --columns rank,busy_ns "$@"; echo "status $?"; }
table a/node1/local_rank0 10 && table a/node1/local_rank1 20 && table a/node2/local_rank0 30 && table a/node2/local_rank1 40
ask a
ask -q a/node2/local_rank0 a/node1
ask a/node2
ask --rank-from 'node(.)' -q a/node1/local_rank0 a/node2/local_rank1
tracecat info -q -f csv --columns path,rank,rank_rule a
tracemerge -q -o run.db a && ask -q run.db
# The words for the job count as ever.
mkdir b && mv a/node1/local_rank0 b/rank0_local_rank0 && mv a/node2/local_rank0 b/rank3_local_rank0 && ask -q b
