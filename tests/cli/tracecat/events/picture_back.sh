# What a picture keeps of traces of other sorts: operators with their shapes, regions, how long a reading holds, and what
# torch's allocator says of itself. Read again they are the same (in Chrome's format times count from the first event).
data=$TESTDATA
for format in pftrace chrome; do
	same() {
		kstats "$@" -q -f csv "$data/$run" >before
		kstats "$@" -q -f csv run.$format | cmp - before && echo "$format $run $1: $(wc -l <before) lines"
	}
	for run in kineto/2.9/train kineto/7.0/step; do
		tracecat -q --to $format -o run.$format "$data/$run"
		same ops
		same ops --paths
		same regions --columns rank,tid,region,depth,count,host_ns,gpu_total_ns,gpu_busy_ns,kernels
	done
	same memory --columns rank,agent,allocated_bytes,peak_bytes,stated_peak_bytes,reserved_peak_bytes
	tracecat -q --to $format -o run.$format "$data/rpd/2/sessions/trace.rpd"
	powerstats -q -f csv --columns agent,sensor,samples,gaps,mean,min,max run.$format
done
powerstats -q -f csv --columns agent,sensor,samples,gaps,mean,min,max "$data/rpd/2/sessions/trace.rpd"
