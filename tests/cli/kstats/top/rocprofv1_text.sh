# Text files of rocprof v1: kernels get their names, threads and streams from the calls beside them.
# scale ran twice 1 us, once on the null stream of agent 1; CopyTile is a kernel in spite of its name,
# KernelExecution (100 ns) is the graph's, of which no call has the name. Of two barriers the one that
# hipStreamWaitEvent asked for counts (10 ns), the one of hipEventRecord does not. 2610 ns in all.
ln -s "$TESTDATA" data
kstats top -f csv --per agent,queue,stream --columns agent,queue,stream,name,calls,total_ns,pct \
	data/rocprofv1/6.2/text_hip/7001_hcc_ops_trace.txt
