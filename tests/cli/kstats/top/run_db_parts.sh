# A database of a table of 20 kernels, the i-th of 10*i ns (2100 ns), next to the table cut in two: they would count twice.  That is
# an error for commands that would take sums from the database, too; so it is next to a database of one of the parts.  Of other
# kernels, 20 of another agent, both count (40 calls, 4200 ns), and a database alone is as it was.
table() { # FROM TO AGENT
	echo Kind,Agent_Id,Thread_Id,Dispatch_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
	for i in $(seq "$1" "$2"); do echo "KERNEL_DISPATCH,$3,9,$i,k,$i,$((1000 * i)),$((1010 * i))"; done
}
ask() { kstats top -f csv --columns calls,total_ns "$@"; echo "status $?"; }
mkdir whole parts && table 1 20 4 >whole/x_kernel_trace.csv && table 1 10 4 >parts/a.csv && table 11 20 4 >parts/b.csv
tracemerge -q -o run.db whole && tracemerge -q -o part.db parts/b.csv
ask run.db
ask run.db whole
ask run.db parts
kstats classes -q parts run.db; echo "status $?"
ask run.db part.db
table 1 20 5 >parts/a.csv && rm parts/b.csv && ask run.db parts
