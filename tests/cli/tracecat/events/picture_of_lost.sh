# What a trace lost is lost for who reads a timeline of it, and a timeline of that: the first row ends before it starts, the last
# is cut.  Of the second rank nothing is lost.
printf '%s\n' '"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"' \
	'"KERNEL_DISPATCH","Agent 4",1,"k",1,900,800' '"KERNEL_DISPATCH","Agent 4",1,"k",2,1000,2000' >rank1_kernel_trace.csv
cp rank1_kernel_trace.csv rank0_kernel_trace.csv
printf '"KERNEL_DISPATCH","Agent 4",1,"k",3,3000,' >>rank0_kernel_trace.csv
sed -i 's/900,800/900,950/' rank1_kernel_trace.csv
for to in pftrace chrome; do
	tracecat -q --to $to -o once.$to 0=rank0_kernel_trace.csv 1=rank1_kernel_trace.csv
	tracecat -q --to $to -o twice.$to once.$to
	echo "$to: $? $(tracecat info -q -f csv --columns rank,skipped,lost,skipped_why,lost_why twice.$to)"
	kstats -q -f csv twice.$to | grep rows.skipped
	kstats top -q --strict -f csv --columns name,calls twice.$to
done
