# Statistics of one run by rocprofv3 and by rocprof (v1), which are of one run because each has those of the four kernels of
# results.csv: hipMalloc 2 calls and 30 ns count once.  With the least difference they are not the same: 4 calls, 61 ns.
{
	echo '"Index","KernelName","gpu-id","queue-id","queue-index","pid","tid","grd","wgr","lds","scr","vgpr","sgpr","fbar","sig","obj","DispatchNs","BeginNs","EndNs","CompleteNs"'
	i=0
	for k in a b c d; do
		echo "$i,\"$k\",0,1,$i,7,7,64,64,0,0,8,16,0,\"0x0\",\"0x0\",${i}900,$((i + 1))000,$((i + 1))100,$((i + 1))200"
		i=$((i + 1))
	done
} >results.csv
v1() {
	echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage"'
	printf '"%s",%d,%d,%d,%d\n' "$@"
}
v3() {
	echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
	printf '"%s",%d,%d,%d,%d,%d,%d,0\n' "$@"
}
v1 a 1 100 100 25 b 1 100 100 25 c 1 100 100 25 d 1 100 100 25 >results.stats.csv
v3 a 1 100 100 25 100 100 b 1 100 100 25 100 100 c 1 100 100 25 100 100 d 1 100 100 25 100 100 >42_kernel_stats.csv
v1 hipMalloc 2 30 15 100 >results.hip_stats.csv
v3 hipMalloc 2 30 15 100 10 20 >42_hip_api_stats.csv
ask() { kstats top -f csv --domain hip --columns name,calls,total_ns,max_ns "$@"; echo "status $?"; }
ask .
ask results.hip_stats.csv results.stats.csv 42_hip_api_stats.csv results.csv 42_kernel_stats.csv
kstats top -q -f csv --columns name,calls,total_ns .
tracemerge -q -o run.db . && ask run.db
v1 hipMalloc 2 31 15 100 >results.hip_stats.csv
ask . 2>/dev/null
