# A table of 20 kernels, the i-th of 10*i ns: 2100 ns.  Its first 16 in another file, whatever that is called and wherever it
# lies, count a second time (36 calls, 3460 ns), and so does all of it, saved again by another program: other line ends, order or
# columns.  That is an error, for whoever asks.  Other kernels all count: 16 on another agent, or of another thread, or one of
# which ends later (36 calls, 3460 and 3461 ns), those of numbered processes, or of ranks.  Fewer than 8 may be alike by
# chance: 7 count (27 calls, 2380 ns).
head=Kind,Agent_Id,Thread_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
table() { # FILE COUNT AGENT THREAD LATER
	mkdir -p "${1%/*}"
	{
		echo "$head"
		for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
			[ $i -gt "$2" ] || echo "KERNEL_DISPATCH,$3,$4,k,$i,$((1000 * i)),$((1010 * i + (i == 7 ? $5 : 0)))"
		done
	} >"$1"
}
ask() { kstats top -f csv --columns calls,total_ns "$@"; echo "status $?"; }
table a/x_kernel_trace.csv 20 4 9 0
ask a
table a/small.csv 16 4 9 0 && ask a
ask -j 4 --agent 4 a
kstats timeline -q a; echo "status $?"
tracemerge -q -o run.db a; echo "status $?"
mkdir a/sub && mv a/small.csv a/sub/x_kernel_trace.csv && ask a
rm -r a/sub && sed 's/$/\r/' a/x_kernel_trace.csv >a/y.csv && ask a
cut -d, -f4,6,7 a/x_kernel_trace.csv >a/y.csv && ask a
{ echo "$head" && tail -n +2 a/x_kernel_trace.csv | sort -r; } >a/y.csv && ask a
table a/y.csv 16 5 9 0 && ask a
table a/y.csv 16 4 8 0 && ask a
table a/y.csv 16 4 9 1 && ask a
table a/y.csv 8 4 9 0 && ask a
table a/y.csv 7 4 9 0 && ask a
table b/77_kernel_trace.csv 20 4 9 0 && table b/78_kernel_trace.csv 16 4 9 0 && ask b
table c/rank0/t.csv 20 4 9 0 && table c/rank1/t.csv 16 4 9 0 && ask c
ask 0=a/x_kernel_trace.csv 1=b/78_kernel_trace.csv
# A table with counters is not only a part: 40 calls of 4200 ns.
mkdir e && cp a/x_kernel_trace.csv e && {
	echo KernelName,gpu-id,tid,SQ_WAVES,BeginNs,EndNs
	tail -n +2 a/x_kernel_trace.csv | awk -F, -v OFS=, '{ print $4, $2, $3, 64, $6, $7 }'
} >e/counted.csv && ask -q e
# But with the counters of the other it is: saved again elsewhere, or its first 12 rows.  With another counter both count.
mkdir -p f/sub && cp e/counted.csv f && sed 's/$/\r/' e/counted.csv >f/sub/again.csv && ask -q f
head -n 13 e/counted.csv >f/sub/again.csv && ask -q f
sed 's/SQ_WAVES/SQ_BUSY_CYCLES/' e/counted.csv >f/sub/again.csv && ask -q f
# Two pieces of what also is there as a whole, beside a third that is of another process.
table d/p_kernel_trace.csv 16 4 9 0 && { echo "$head" && tail -n 4 a/x_kernel_trace.csv; } >d/q_kernel_trace.csv
table d/all.csv 20 4 9 0 && table d/r.csv 20 5 8 3
ask d
