# A copy between two agents is work of both, and with --agent it is kept for either: but it is no work of the other
# one then.  Agent 4 computes in 100..150, agent 5 in 160..200; in 150..160 data goes from 4 to 5.  Of agent 5 alone:
# 40 of its 50 are computing, one gap, no other row.  Its size is counted once, for whoever is left.
cat >p_kernel_trace.csv <<'END_OF_CSV'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,"gemm_kernel",1,100,150
"KERNEL_DISPATCH",5,1,"gemm_kernel",2,160,200
END_OF_CSV
cat >p_memory_copy_trace.csv <<'END_OF_CSV'
"Kind","Direction","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_COPY","MEMORY_COPY_DEVICE_TO_DEVICE","Agent 4","Agent 5",3,150,160
END_OF_CSV
for a in 4 5 4,5; do
	echo "# $a"
	kstats timeline -q -f csv --columns agent,window_ns,compute_ns,exposed_copy_ns,idle_ns --agent $a . || exit
done
kstats efficiency -q -f csv --columns metric,value,guilty_agent --agent 5 . &&
	kstats summary -q -f csv --columns metric,value --agent 5 . | grep -e '^agents' -e '^timeline.window' &&
	kstats gaps -q -f csv --columns agent,gaps,idle_ns --agent 5 -w 90..200 . &&
	kstats ranks -q -f csv --columns agents,window_ns,exposed_comm_ns,idle_ns --agent 5 . &&
	kstats classes -q -f csv --columns class,busy_pct,window_pct --agent 5 . &&
	kstats copies -q -f csv --columns src,dst,calls,union_ns --agent 5 . || exit
cat >sized.csv <<'END_OF_CSV'
kind,rank,agent,name,start_ns,end_ns,bytes,direction,src,dst
marker,0,,step 1,0,100,,,,
marker,0,,step 2,100,200,,,,
copy,0,,MEMORY_COPY_DEVICE_TO_DEVICE,10,20,4096,device_to_device,4,5
copy,0,,MEMORY_COPY_DEVICE_TO_DEVICE,110,120,1024,device_to_device,5,4
END_OF_CSV
for a in 4 5 4-5; do
	kstats steps -q -f csv --columns step,busy_ns,copied_bytes --agent $a sized.csv || exit
done
