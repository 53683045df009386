# In 1700..2300 rank 0 works 1800..2000 and rank 1 does nothing, though it works before and after: it is idle for 600,
# and busiest and idlest of the ranks are what --imbalance says.  Of both together 1000 of 1200 are idle, 83.3333 %.
# Inside 1300..1400 nobody works: nothing to show.
head='"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
for r in 0 1; do
	{
		echo "$head"
		echo '"KERNEL_DISPATCH",4,1,"k",1,1000,1100'
		[ $r = 1 ] || echo '"KERNEL_DISPATCH",4,1,"k",2,1800,2000'
		echo '"KERNEL_DISPATCH",4,1,"k",3,2500,2600'
	} >$r.csv
done
kstats timeline -q -f csv --columns rank,agent,window_ns,busy_ns,idle_ns,idle_pct,kernels -w 1700..2300 0=0.csv 1=1.csv
kstats ranks -q -f csv --columns rank,agents,window_ns,busy_ns,idle_ns -w 1700..2300 0=0.csv 1=1.csv
kstats ranks --imbalance -q -f csv -w 1700..2300 0=0.csv 1=1.csv
kstats gaps -q -f csv --columns rank,agent,gaps,idle_ns,max_ns,unknown_ns,matched_pct -w 1700..2300 0=0.csv 1=1.csv
kstats summary -q -f csv --columns metric,value -w 1700..2300 0=0.csv 1=1.csv >out && head -n 15 out
kstats classes -q -f csv --columns class,busy_pct,window_pct -w 1700..2300 0=0.csv 1=1.csv
# An open end is that of the last work.
kstats ranks -q -f csv --columns rank,window_ns,busy_ns,idle_ns -w 2550.. 0=0.csv 1=1.csv
kstats timeline -w 1300..1400 0=0.csv 1=1.csv
