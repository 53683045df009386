# RCCL drops collectives of nothing and copies where a communicator has one rank, after it has logged them: three calls,
# two kernels.  Left out is what makes the numbers equal, nothing at first if they are: all-reduces of 10 and 20 floats
# of two ranks take 100 ns, 40 / 100 and 80 / 100.
#   a: 10 floats, 0 floats, 20 floats, two kernels        the empty one is left out
#   b: the same and 7 floats of one rank, two kernels     that too
#   c: as b, three kernels                                only the empty one
#   d: as b, four kernels                                 none
#   e: as b, one kernel                                   not known
head='"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
name='"ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)"'
call() { # COUNT NRANKS
	echo "h:40:40 [0] NCCL INFO AllReduce: opCount 0 sendbuff (nil) recvbuff 0x7 count $1 datatype 7 op 0 root 0 comm 0x$2 [nranks=$2] stream (nil) task 0 globalrank 0"
}
kernels() {
	echo "$head"
	for i in "$@"; do
		echo "\"KERNEL_DISPATCH\",\"Agent 4\",1,0,10,$i,1,$name,$i,${i}000,${i}100"
	done
}
{ call 10 2 && call 0 2 && call 20 2; } >a.log
{ call 10 2 && call 0 2 && call 7 1 && call 20 2; } >b.log
kernels 1 >1.csv
kernels 1 2 >2.csv
kernels 1 2 3 >3.csv
kernels 1 2 3 4 >4.csv
for c in a,2 b,2 b,3 b,4 b,1; do
	echo "${c%,*}.log and ${c#*,} kernels"
	kstats ranks --collectives -f csv --columns comm,bytes,busbw_gb_per_s 0="${c#*,}".csv 0="${c%,*}".log 2>err
	grep -v 'one agent only' err
done
