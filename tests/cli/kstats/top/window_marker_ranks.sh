# The marker is a range on rank 0, a mark on rank 1, and rank 2 has none: only rank 0 has a window, and that is said.
head='"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
for r in 0 1 2; do
	printf '%s\n' '"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"' \
		"\"KERNEL_DISPATCH\",4,1,\"k$r\",1,1000,1100" >$r.csv
done
printf '%s\n' "$head" '"MARKER_CORE_RANGE_API","load",1,10,101,900,1200' \
	'"MARKER_CORE_RANGE_API","ProfilerStep#1",1,10,102,900,1200' '"MARKER_CORE_RANGE_API","ProfilerStep#2",1,10,103,1200,1300' >0m.csv
printf '%s\n' "$head" '"MARKER_CORE_RANGE_API","load",1,10,101,900,900' >1m.csv
kstats timeline -f csv --columns rank,window_ns,busy_ns,idle_ns -w window:load 0=0.csv 0=0m.csv 1=1.csv 1=1m.csv 2=2.csv
kstats top -f csv --columns name,calls -w window:load 0=0.csv 0=0m.csv 1=1.csv 2=2.csv
tracecat -q --kind kernel --columns rank,name -w window:load 0=0.csv 0=0m.csv 1=1.csv 2=2.csv
# What was launched inside, by when it ran for want of calls: the same ranks.
kstats top -f csv --columns name,calls -w marker:load 0=0.csv 0=0m.csv 1=1.csv 1=1m.csv 2=2.csv
# Steps likewise: only rank 0 has them.
kstats top -f csv --columns name,calls -w step:1 0=0.csv 0=0m.csv 1=1.csv 2=2.csv
