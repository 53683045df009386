# Two runs that both claim to be rank 0, by themselves or by their paths, are added up, and it is said; not when the
# user gives both the rank; whatever -j, and from the database as well.
for f in a/rank0/p b/rank0/q; do
	mkdir -p "${f%/*}"
	cp "$TESTDATA/rocprofv3/7.0/hostile/one_kernel_trace.csv" ${f}_kernel_trace.csv
	echo "\"KERNEL_DISPATCH\",4,1,0,10,2,1,\"$f\",2,100,200,0,0,8,0,16,64,1,1,64,1,1" >>${f}_kernel_trace.csv
done
top='kstats top -f csv --per rank --columns rank,name,calls'
$top a b
$top -j 1 b a
$top 0=a 0=b
tracemerge -q -o run.db a b
$top run.db
for k in 1 2; do
	sed "s/\"rank\": 3/\"rank\": 0/; s/77/7$k/" "$TESTDATA/kineto/7.0/step/worker_77.pt.trace.json" >k$k.json
done
$top -n 1 k1.json k2.json
# Of one process there may be other files: a log beside the trace is no second run of kernels.
echo 'h:70:70 [0] NCCL INFO AllReduce: opCount 0 sendbuff 0x1 recvbuff 0x2 count 4 datatype 7 op 0 root 0 comm 0x3 [nranks=1] stream 0x4 task 0 globalrank 0' >a/rank0/rccl.log
$top a
