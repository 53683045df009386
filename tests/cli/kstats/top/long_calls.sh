# Calls of weeks: a mean past 2^64 / 10^4 ns (21 days) is printed whole.  30 days, and 30 days and 3 ns: mean 30 days and
# 1.5 ns, up; the deviation is 3 / sqrt(2).  70 days and 3 ns from the first start to the last end, 10 of them idle.
head='"Kind","Agent_Id","Queue_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
day=86400000000000
for r in 0 1; do
	{
		echo "$head"
		echo "\"KERNEL_DISPATCH\",4,1,1,k,1,1000,$((1000 + 30 * day))"
		echo "\"KERNEL_DISPATCH\",4,1,1,k,2,$((1000 + 40 * day)),$((1003 + 70 * day))"
	} >rank$r.csv
done
kstats top -f csv rank0.csv
kstats top rank0.csv
kstats ranks -q --imbalance -f csv rank0.csv rank1.csv
