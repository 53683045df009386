# What there is instead of API calls: two dispatches, each with three counters; and the same of the
# database and of its totals.  A trace of the run counts in place of its counters.
head='"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"'
{
	echo "$head"
	for c in A B C; do
		echo "1,1,\"Agent 4\",1,42,42,64,1,\"k\",64,0,0,8,0,16,\"$c\",1,1000,2000"
		echo "2,2,\"Agent 4\",1,42,42,64,1,\"k\",64,0,0,8,0,16,\"$c\",1,3000,4000"
	done
} >app_counter_collection.csv
tracemerge -q -o run.db app_counter_collection.csv
tracemerge -q --stats-only -o totals.db app_counter_collection.csv
for f in app_counter_collection.csv run.db totals.db; do
	kstats top --domain hip $f
	echo $?
done
cat >app_kernel_trace.csv <<'EOF'
"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4",1,0,42,1,1,"k",1,1000,2000
"KERNEL_DISPATCH","Agent 4",1,0,42,2,1,"k",2,3000,4000
EOF
kstats top -q --domain hip app_counter_collection.csv app_kernel_trace.csv
