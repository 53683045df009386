# Agent 4 works in 0..200 of rank 0, agent 5 only in 0..100: in the second half it is idle, whether the window ends where
# the work of the rank does (50%..), or at 100%.  parallel 100 / (2 * 100), load balance 100 / (2 * 100).  Of the first
# 150, either way: 250 / (2 * 150).  Rank 1 works until 120: with one clock of both its agent counts in 150.. too, and
# is idle: 50 / (3 * 50).  Rank 2 begins at 180, so in ..60 it is idle, and in 40..60.
cat >0_kernel_trace.csv <<'END_OF_0'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,"k",1,0,100
"KERNEL_DISPATCH",5,1,"k",2,0,100
"KERNEL_DISPATCH",4,1,"k",3,100,200
END_OF_0
cat >1_kernel_trace.csv <<'END_OF_1'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,"k",1,0,120
END_OF_1
cat >2_kernel_trace.csv <<'END_OF_2'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,"k",1,180,220
END_OF_2
for w in 50%.. 50%..100% ..150 0%..75% ..; do
	echo "# $w" && kstats efficiency -q -f csv --columns metric,value,guilty_agent,num_ns,den_ns -w $w 0_kernel_trace.csv || exit
done
tracemerge -q --align none -o run.db 0=0_kernel_trace.csv 1=1_kernel_trace.csv || exit
for w in 150.. 150..200; do
	echo "# $w" && kstats efficiency -f csv --columns metric,value,guilty_rank,num_ns,den_ns -w $w run.db || exit
done
for w in ..60 40..60; do
	echo "# $w" && kstats efficiency -q -f csv --columns metric,value,num_ns,den_ns -w $w 0=0_kernel_trace.csv 2=2_kernel_trace.csv || exit
done
