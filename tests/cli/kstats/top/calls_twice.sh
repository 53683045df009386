# Tables of 20 calls, the i-th of 10*i ns (2100 ns), of 20 copies and of 20 allocations.  Each once more, saved by another program
# (other line ends, order, or columns), or its first 12 rows, would count twice; so would the rows from 5 to 20 next to those up
# to 14.  That is an error for whoever asks for them, whatever the files are called and wherever they lie.  Calls of another
# thread or process count (40 calls, 4200 ns), of ranks, of numbered processes, and 7 that may be alike by chance (27 calls, 2380
# ns); so do two runs that are the same up to row 12.
calls() { # FROM TO PID THREAD NAME
	echo Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp
	for i in $(seq "$1" "$2"); do
		name=hipMemcpy
		[ "$i" -le 12 ] || name=$5
		echo "HIP_RUNTIME_API,$name,$3,$4,$i,$((1000 * i)),$((1010 * i))"
	done
}
copies() { # FROM TO
	echo Kind,Direction,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,Start_Timestamp,End_Timestamp
	for i in $(seq "$1" "$2"); do
		echo "MEMORY_COPY,MEMORY_COPY_HOST_TO_DEVICE,0,4,$i,$((1000 * i)),$((1010 * i))"
	done
}
allocations() { # FROM TO
	echo Kind,Operation,Agent_Id,Allocation_Size,Address,Correlation_Id,Start_Timestamp,End_Timestamp
	for i in $(seq "$1" "$2"); do
		echo "MEMORY_ALLOCATION,MEMORY_ALLOCATION_ALLOCATE,4,64,0x$i,$i,$((1000 * i)),$((1010 * i))"
	done
}
ask() { kstats top -f csv --domain hip --columns calls,total_ns "$@"; echo "status $?"; }
mkdir a && calls 1 20 5 9 hipFree >a/x_hip_api_trace.csv
ask a
sed 's/$/\r/' a/x_hip_api_trace.csv >a/y.csv && ask a
ask -j 4 a/y.csv a/x_hip_api_trace.csv
kstats sync -q a; echo "status $?"
tracemerge -q -o run.db a; echo "status $?"
{ head -n 1 a/x_hip_api_trace.csv && tail -n +2 a/x_hip_api_trace.csv | sort -r; } >a/y.csv && ask a
cut -d, -f1,2,3,5,6,7 a/x_hip_api_trace.csv >a/y.csv && ask a
mkdir a/sub && calls 1 12 5 9 hipFree >a/sub/x_hip_api_trace.csv && rm a/y.csv && ask a
rm -r a/sub
calls 1 20 5 8 hipFree >a/y.csv && ask a
calls 1 20 6 9 hipFree >a/y.csv && ask a
calls 1 7 5 9 hipFree >a/y.csv && ask a
calls 1 20 5 9 hipMalloc >a/y.csv && ask a
ask 0=a/x_hip_api_trace.csv 1=a/x_hip_api_trace.csv
mkdir b && calls 1 20 5 9 hipFree >b/5_hip_api_trace.csv && calls 1 12 5 9 hipFree >b/6_hip_api_trace.csv && ask b
mkdir c && calls 1 14 5 9 hipFree >c/p.csv && calls 5 20 5 9 hipFree >c/q.csv && ask c
mkdir d && copies 1 20 >d/x_memory_copy_trace.csv && copies 1 12 >d/head.csv
kstats copies -q d; echo "status $?"
mkdir e && allocations 1 20 >e/x_memory_allocation_trace.csv && allocations 5 20 >e/tail.csv
kstats memory -q e; echo "status $?"
