# A table of 10 kernels of 10 ns, and beside it what editors, patch and browsers leave: an older one of 9, one that names a kernel
# otherwise, and parts.  10 calls, 100 ns, as without them.  Without the plain name, of an empty one (a browser keeps it for what
# it loads), or given by itself, each is a table as any: 9 calls, 90 ns.
head=Kind,Agent_Id,Thread_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
table() { # COUNT NAME
	echo $head
	for i in $(seq "$1"); do echo "KERNEL_DISPATCH,4,9,$2,$i,$((1000 * i)),$((1000 * i + 10))"; done
}
ask() { kstats top -f csv --columns calls,total_ns,name "$@"; echo "status $?"; }
mkdir a b && table 10 k >a/1_kernel_trace.csv
table 9 k >'a/1_kernel_trace.csv~' && table 10 old >a/1_kernel_trace.csv.orig && table 4 k >'a/#1_kernel_trace.csv#' &&
	table 8 k >a/1_kernel_trace.csv.part && echo text >a/notes && echo tex >'a/notes~'
ask a
ask -v a/.
ask 'a/1_kernel_trace.csv~'
cp 'a/1_kernel_trace.csv~' b && ask b
touch b/1_kernel_trace.csv && ask -q b
# What has taken its place is no trace: the backup is all there is.
echo core dumped >b/1_kernel_trace.csv && ask -q b
