# Agent 1 works in [5,10) and [20,30), agent 2 in [100,110), on queue 3.  In [2,50) agent 2 is idle for all of
# it, and has a row that says so: one gap of 48, before nothing that is known.  Together: busy 15 of 96.
# Where the window has no beginning it is that of the first agent, 5, where it has no end that of the last, 110: in
# [..50) agent 2 is idle for 45, in [20..) agent 1 from 30 on, for 80.  In [40,60) nobody works: nothing to show.
cat >1_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",1,1,"k",1,5,10
"KERNEL_DISPATCH",1,1,"k",2,20,30
"KERNEL_DISPATCH",2,3,"k",3,100,110
END
for w in 2..50 ..50 20..; do
	kstats timeline -q -f csv --columns agent,window_ns,busy_ns,compute_ns,idle_ns,kernels -w $w 1_kernel_trace.csv
done
kstats gaps -q -f csv --columns agent,gaps,idle_ns,idle_pct,max_ns,unknown_ns,matched_pct -w 2..50 1_kernel_trace.csv
kstats gaps -q -f csv --list -n 1 --per queue -w 2..50 1_kernel_trace.csv
kstats classes -q -f csv -w 2..50 1_kernel_trace.csv
kstats ranks -q -f csv --columns agents,window_ns,busy_ns,idle_ns -w 2..50 1_kernel_trace.csv
kstats timeline -q -f csv -w 40..60 1_kernel_trace.csv
