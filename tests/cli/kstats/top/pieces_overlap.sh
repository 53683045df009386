# A table of 20 kernels, the i-th of 10*i ns, in two pieces, kernels 1 to 14 and 5 to 20: 10 are in both, and would count twice (30
# calls, 3050 ns).  That is an error for whoever asks, whatever the pieces are called; given as ranks they count.  So does what is
# like pieces and is none: of another thread; with 5 in both, which may be alike by chance (25 calls, 2700 ns); and two runs of a
# program that are the same up to kernel 12, after which the second does other work.
head=Kind,Agent_Id,Thread_Id,Dispatch_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
table() { # FROM TO THREAD NAME
	echo $head
	for i in $(seq "$1" "$2"); do
		name=k
		[ "$i" -le 12 ] || name=$4
		echo "KERNEL_DISPATCH,4,$3,$i,$name,$i,$((1000 * i)),$((1010 * i))"
	done
}
ask() { kstats top -f csv --columns calls,total_ns "$@"; echo "status $?"; }
mkdir a && table 1 14 9 k >a/p1.csv && table 5 20 9 k >a/p2.csv
ask a
ask -j 4 a/p2.csv a/p1.csv
kstats timeline -q a; echo "status $?"
ask 0=a/p1.csv 1=a/p2.csv
table 5 20 8 k >a/p2.csv && ask a
table 10 20 9 k >a/p2.csv && ask a
table 1 20 9 before >a/p1.csv && table 1 20 9 after >a/p2.csv && kstats top -f csv --columns name,calls,total_ns a
# Three pieces, the first two of which overlap.
table 1 12 9 k >a/p1.csv && table 3 16 9 k >a/p2.csv && table 17 20 9 k >a/p3.csv && ask a
