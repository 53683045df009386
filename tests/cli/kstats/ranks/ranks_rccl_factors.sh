# Every collective on 4 ranks, 100 items of 4 bytes and 100 ns each.  An all-reduce: 400 bytes, 400 * 6/4 / 100 = 6; what
# counts one rank's part: 1600 bytes, 1600 * 3/4 / 100 = 12, in either spelling of all-to-all; others 400 bytes and 4.
# Sends and receives are of different groups here.  AllToAllv has no count.  Of a name nobody knows the size is that of
# the line, and there is no rate.
head='"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
name='"ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)"'
echo "$head" >k.csv
i=0
for c in AllReduce AllReduceWithBias AllGather ReduceScatter AllToAll AllToAllPivot AlltoAll AlltoAllPivot AlltoAllGda Gather \
	Scatter Broadcast Bcast Reduce Send Recv AllToAllv Whatever; do
	i=$((i + 1))
	data='sendbuff (nil) recvbuff 0x7 count 100 datatype 7'
	[ $c = AllToAllv ] &&
		data='sendbuff 0x1 sendcounts 0x2 sdispls 0x3 recvbuff 0x7 recvcounts 0x4 rdispls 0x5 datatype 7 typesize 4'
	echo "h:40:40 [0] NCCL INFO $c: opCount $i $data op 0 root 0 comm 0x1 [nranks=4] stream (nil) task 0 globalrank 0"
	echo "\"KERNEL_DISPATCH\",\"Agent 4\",1,0,10,$i,1,$name,$i,${i}000,${i}100" >>k.csv
done >k.log
kstats ranks --collectives -q -f csv --columns name,bytes,busbw_gb_per_s 0=k.csv 0=k.log
