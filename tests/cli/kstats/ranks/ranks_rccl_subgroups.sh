# Communicator 0xa of three ranks, 0xb of the first two: rank 0 and 1 run a b a b, rank 2 runs a a.  That rank 2 runs
# fewer is as it should be and no doubt.  All-reduce of 100 floats, 400 bytes, factor 4/3, on 500 ns: 1.0667; of the
# first two ranks, factor 1, on 100 ns: 4.  Then rank 1 lacks its last b: that is told, and so is that rank 2 without
# a log leaves nothing but the order.
head='"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
name='"ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)"'
run() { # RANK COMM NRANKS OPCOUNT START END
	echo "h:4$1:4$1 [0] NCCL INFO AllReduce: opCount $4 sendbuff (nil) recvbuff 0x7 count 100 datatype 7 op 0 root 0 comm 0x$2 [nranks=$3] stream (nil) task 0 globalrank $1" >>"$1.log"
	echo "\"KERNEL_DISPATCH\",\"Agent 4\",1,0,10,$5,1,$name,$5,$5,$6" >>"$1.csv"
}
for r in 0 1 2; do
	echo "$head" >$r.csv
	echo "h:4$r:4$r [0] NCCL INFO ncclCommInitRank comm 0xd$r rank $r nranks 3 cudaDev 0 busId 1 commId 0xa - Init COMPLETE" >$r.log
	[ $r = 2 ] ||
		echo "h:4$r:4$r [0] NCCL INFO ncclCommInitRank comm 0xe$r rank $r nranks 2 cudaDev 0 busId 1 commId 0xb - Init COMPLETE" >>$r.log
	run $r d$r 3 0 1000 1500
	[ $r = 2 ] || run $r e$r 2 0 2000 2100
	run $r d$r 3 1 3000 3500
	[ $r = 0 ] && run 0 e0 2 1 4000 4100
done
cp 1.csv short.csv
cp 1.log short.log
run 1 e1 2 1 4000 4100
kstats ranks --collectives -f csv 0=0.csv 0=0.log 1=1.csv 1=1.log 2=2.csv 2=2.log
kstats ranks --collectives -f csv --columns comm,index,ranks 0=0.csv 0=0.log 1=short.csv 1=short.log 2=2.csv 2=2.log
kstats ranks --collectives -f csv --columns comm,index,ranks 0=0.csv 0=0.log 1=1.csv 1=1.log 2=2.csv
