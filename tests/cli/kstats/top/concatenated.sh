# Two processes, each with a table of its own (77: k of 100 and 200 ns; 78: k of 300 ns), and all of it concatenated by hand,
# under a name that says nothing, in tables that name no process: k is called 3 times, 600 ns, and not 6 times.  It is an error
# wherever the tables are, and in whatever order the rows are.  Of a table that has one
# kernel more, or another time, nobody knows: all of it counts (3 + 4 calls, 600 + 650 ns).  So it does where the user gave
# the ranks.
head='Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp'
table() { # FILE START+LENGTH...
	mkdir -p "${1%/*}"
	file=$1
	shift
	{
		echo "$head"
		for k; do echo "KERNEL_DISPATCH,4,k,1,${k%+*},$((${k%+*} + ${k#*+}))"; done
	} >"$file"
}
ask() { kstats top -f csv --columns name,calls,total_ns "$@"; echo "status $?"; }
table a/77_kernel_trace.csv 1000+100 2000+200
table a/78_kernel_trace.csv 1500+300
ask a
table a/all_kernel_trace.csv 1000+100 1500+300 2000+200
ask a
ask -j 3 --per rank a
ask a/all_kernel_trace.csv
tracemerge -o all.db a
mkdir -p b/77/host b/78/host b/all && mv a/77_* b/77/host && mv a/78_* b/78/host && mv a/all_* b/all
ask b
rm -r b/all && table b/all_kernel_trace.csv 1000+100 1500+300 2000+200 3000+50 && ask b
table b/all_kernel_trace.csv 1000+100 1500+300 2000+200
ask 0=b/77 1=b/78 2=b/all_kernel_trace.csv
# Whatever shows more of it shows nothing.
kstats summary -q b; echo "summary $?"
tracereport -q -o r.html b; echo "report $?"; [ -e r.html ] || echo none
