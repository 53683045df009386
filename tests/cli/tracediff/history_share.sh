# A kernel with 0.3 % of the time, from the seventh run on 0.5 %: below 1 % it is not looked at, unless that is asked for.
for run in 1 2 3 4 5 6 7 8 9 10 11 12; do
	mkdir run$run
	ns=$((300 + run * 5 % 6 + (run > 6 ? 200 : 0)))
	{
		echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		echo "KERNEL_DISPATCH,Agent 1,steady,1,$run,$((run + 100000 + run * 7 % 11))"
		echo "KERNEL_DISPATCH,Agent 1,tiny,2,$((run + 110000)),$((run + 110000 + ns))"
	} >run$run/app_kernel_trace.csv
done
set -- run1 run2 run3 run4 run5 run6 run7 run8 run9 run10 run11 run12
tracediff -q --history --alpha 0.05 -f csv --columns run,change,name "$@" | grep -c tiny
tracediff -q --history --alpha 0.05 -f csv --columns run,change,name --min-share 0.2 "$@" | grep tiny
tracediff -q --history --alpha 0.05 -f csv --columns run,change,name --min-share 0 "$@" | grep tiny
