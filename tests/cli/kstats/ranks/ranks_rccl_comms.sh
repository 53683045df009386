# Two communicators of one rank each beside that of both.  Rank 0: 0xa (alone), 0xc, 0xc; rank 1: 0xc, 0xb
# (alone), then sends and receives of one group, which are one kernel: rank 1 sends 8 + 16 and receives 8 bytes,
# rank 0 the other way round, so 24 on both; 24 / 50.  All-reduce of 4 floats on 2 ranks: factor 1, 16 / 90.
# Alone nothing crosses a link.
head='"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
name='"ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)"'
for r in 0 1; do
	echo "$head" >$r.csv
	p="h:4$r:4$r [$r] NCCL INFO"
	{
		echo "$p ncclCommInitRank comm 0x1 rank $r nranks 2 cudaDev $r busId 1 commId 0xc - Init COMPLETE"
		if [ $r = 0 ]; then c=0xa; else c=0xb; fi
		echo "$p ncclCommSplit comm 0x2 rank 0 nranks 1 cudaDev $r busId 1 parent 0x1 color -1 key 0 commId $c - Init COMPLETE"
	} >$r.log
done
call() { # RANK COMM NRANKS NAME OPCOUNT COUNT DATATYPE TASK
	echo "h:4$1:4$1 [$1] NCCL INFO $4: opCount $5 sendbuff (nil) recvbuff 0x7 count $6 datatype $7 op 0 root 0 comm $2 [nranks=$3] stream (nil) task $8 globalrank $1" >>"$1.log"
}
kernel() { echo "\"KERNEL_DISPATCH\",\"Agent 4\",1,0,10,$2,1,$name,$2,$3,$4" >>"$1.csv"; }
call 0 0x2 1 AllReduce 0 1 7 0
kernel 0 1 100 110
call 0 0x1 2 AllReduce 0 4 7 0
kernel 0 2 200 300
call 0 0x1 2 Send 1 1 8 0
call 0 0x1 2 Recv 1 1 8 1
call 0 0x1 2 Recv 1 2 8 2
kernel 0 3 400 450
call 1 0x1 2 AllReduce 0 4 7 0
kernel 1 1 210 300
call 1 0x2 1 AllReduce 0 2 7 0
kernel 1 2 350 360
call 1 0x1 2 Send 1 1 8 0
call 1 0x1 2 Send 1 2 8 1
call 1 0x1 2 Recv 1 1 8 2
kernel 1 3 390 450
kstats ranks --collectives -f csv 0=0.csv 0=0.log 1=1.csv 1=1.log
# run.db says the same, in one step and in two; of version 2, which did not keep it, as if there were no logs.
kstats ranks --collectives -f csv 0=0.csv 0=0.log 1=1.csv 1=1.log >want
tracemerge -q --align none -o run.db 0=0.csv 0=0.log 1=1.csv 1=1.log
for r in 0 1; do tracemerge -q -o $r.db $r=$r.csv $r=$r.log; done
kstats ranks --collectives -f csv run.db | cmp - want
kstats ranks --collectives -f csv 0.db 1.db | cmp - want
tracecat -q --kind api --columns rank,name,bytes,comm,comm_ranks,op_count,global_rank run.db
sqlite3 run.db 'PRAGMA user_version = 2' 'ALTER TABLE api DROP bytes' 'ALTER TABLE api DROP comm' \
	'ALTER TABLE api DROP comm_ranks' 'ALTER TABLE api DROP op_count' 'ALTER TABLE api DROP global_rank' \
	'ALTER TABLE api DROP graph_exec'
kstats ranks --collectives -q -f csv run.db
tracemerge -q -o new.db run.db
kstats ranks --collectives -q -f csv new.db
sqlite3 run.db 'PRAGMA user_version = 1'
kstats ranks --collectives -q -f csv run.db
