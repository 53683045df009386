# A window that begins between the arrivals of two ranks at their second collective: 1999 and 2001 beside 2000.
# The third stays the third of both, 3010 - 3000 apart; of the second only rank 1 is inside.  From 3005 on there is
# the third of rank 1 alone, and nothing inside 2500..2600.
head='"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
name='"ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)"'
for r in 0 1; do
	{
		echo "$head"
		i=1
		for t in "$((1000 + 10 * r)),1100" "$((1999 + 2 * r)),2100" "$((3000 + 10 * r)),3100"; do
			echo "\"KERNEL_DISPATCH\",\"Agent 4\",1,0,10,$i,1,$name,$i,$t"
			i=$((i + 1))
		done
	} >$r.csv
done
kstats ranks --collectives -f csv -w 2000..4000 0=0.csv 1=1.csv
kstats ranks --collectives -q -f csv -w 3005..4000 0=0.csv 1=1.csv
tracemerge -q --align none -o run.db 0=0.csv 1=1.csv
kstats ranks --collectives -q -f csv -w 2000..4000 run.db
kstats ranks --collectives -f csv -w 2500..2600 0=0.csv 1=1.csv
