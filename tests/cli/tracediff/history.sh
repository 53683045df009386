# Twelve runs, of 100 us to 105 us each, from the seventh on 20 us longer, which is one kernel: of the 924 ways to put six
# of twelve in front two are as extreme.  Levels are medians, 102.5 and 122.5; the seventh is 25 us longer than the sixth.
for run in 1 2 3 4 5 6 7 8 9 10 11 12; do
	mkdir run$run
	us=$((100 + run * 5 % 6 + (run > 6 ? 20 : 0)))
	{
		echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		echo "KERNEL_DISPATCH,Agent 1,steady,1,$run,$((run + 60000))"
		echo "KERNEL_DISPATCH,Agent 1,grows,2,$((run + 60000)),$((run + us * 1000))"
	} >run$run/app_kernel_trace.csv
done
set -- run1 run2 run3 run4 run5 run6 run7 run8 run9 run10 run11 run12
tracediff -q --history --alpha 0.02 "$@"; echo $?
tracediff -q --history --alpha 0.02 --fail-over 10 -f csv "$@"; echo $?
tracediff -q --history --alpha 0.02 --floor 30 "$@" | head -n 1
tracediff -q --history run1 run2 run3 | tail -n 1
tracediff --history run1; echo $?
tracediff --history --account run1 run2; echo $?
tracediff -q --history run1 run2 run1
