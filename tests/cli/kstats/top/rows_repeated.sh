# A table of 20 kernels, the i-th of 10*i ns: 2100 ns.  Appended to itself, with its header or without, or with a part of itself,
# as pieces that overlap are (rows 1 to 14, and 5 to 20: 10 twice), it would count kernels twice: an error, for whoever asks.  So
# it is with 2 kernels (30 ns).  Kernels at the same time on two agents, or that differ in dispatch or correlation id, are other
# ones: 40 calls, 4200 ns.  So are those of which a table without ids tells only when they ran, with a warning if all of them are
# there again.
head=Kind,Agent_Id,Thread_Id,Dispatch_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
rows() { # FROM TO AGENT ID
	for i in $(seq "$1" "$2"); do
		echo "KERNEL_DISPATCH,$3,9,$((i + $4)),k,$((i + $4)),$((1000 * i)),$((1010 * i))"
	done
}
table() { echo "$head" && rows "$@"; }
ask() { kstats top -f csv --columns calls,total_ns "$@"; echo "status $?"; }
table 1 20 4 0 >a.csv
ask a.csv
cat a.csv a.csv >b.csv && ask -q b.csv
{ cat a.csv && rows 1 20 4 0; } >b.csv && ask b.csv
ask -j 4 --agent 4 b.csv
kstats timeline -q b.csv; echo "status $?"
{ table 1 14 4 0 && rows 5 20 4 0; } >b.csv && ask b.csv
{ table 1 2 4 0 && rows 1 2 4 0; } >b.csv && ask b.csv
{ cat a.csv && rows 1 20 5 0; } >b.csv && ask b.csv
{ cat a.csv && rows 1 20 4 20; } >b.csv && ask b.csv
cut -d, -f2,5,7,8 b.csv >c.csv && ask c.csv
# 10 launches of a graph of 3 equal kernels that run at the same time: all of a graph have the correlation id of its launch.
# 30 calls of 5 ns, 150 ns.
{
	echo Kind,Agent_Id,Thread_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
	for i in $(seq 10); do for k in k k k; do echo "KERNEL_DISPATCH,4,9,$k,$i,$((1000 * i)),$((1000 * i + 5))"; done; done
} >graph.csv
ask graph.csv
