# A run in two formats and their archive; then one of the two was moved to another directory. It counts once, whichever copy is read.
#
# 3 kernels of 1, 2 and 3 us in a table of rocprofv3 and, at the same times, in a trace of torch.profiler. What was moved has a path
# before or after the directory of the run.
mkdir -p run/rank0
awk -v json=run/rank0/w.pt.trace.json 'BEGIN {
	print "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\""
	printf "{\"schemaVersion\": 1, \"deviceProperties\": [], \"traceEvents\": [" >json
	for (i = 1; i <= 3; i++) {
		at = 1000000 + 10 * i
		printf "\"KERNEL_DISPATCH\",\"Agent 4\",1,10,%d,%d,\"k%d\",%d,%d000,%d000\n", i, i, i, i, at, at + i
		printf "%s{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k%d\", \"pid\": 4, \"tid\": 7, \"ts\": %d, \"dur\": %d, \"args\": {\"device\": 4, \"stream\": 7, \"correlation\": %d}}", between, i, at, i, i >json
		between = ", "
	}
	print "]}" >json
}' >run/rank0/10_kernel_trace.csv
tar cf run/rank0.tar run/rank0
for place in before/rank0 zzz/rank0; do
	mkdir -p "$place"
	mv run/rank0/w.pt.trace.json "$place"
	kstats top -f csv --columns name,calls,total_ns run "${place%/*}"
	mv "$place/w.pt.trace.json" run/rank0
done
