# A column that is wider than the room does not take narrow ones with it.  At 80 columns and with a path of 93, RANK,
# SKIPPED and LOST take 21 with their blanks and FORMAT 15 more, which leaves the path 44, more than half; KINDS needs 50,
# with which there is room for neither.
dir=$(printf 'd%.0s' $(seq 72))
mkdir "$dir"
cp "$TESTDATA/rocprofv3/7.0/sync_each/app_kernel_trace.csv" "$dir/app_kernel_trace.csv"
{
	echo 'kind,rank,pid,agent,stream,name,start_ns,end_ns,domain'
	printf '%s\n' kernel,0,7,4,1,k,10,20,kernel copy,0,7,4,1,c,10,20,copy api,0,7,,,a,10,20,hip marker,0,7,,,m,10,20,marker
} >"$dir/events.csv"
COLUMNS=80 tracecat info -q "$dir"
