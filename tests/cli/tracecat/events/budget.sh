# What --budget leaves out of a timeline is lost for who reads it again: the file says how much, rank by rank.
# 40 kernels of 1 us in each of two ranks, 100 ns apart, are merged into one slice each; a longer one stays, and what
# it is called in full does not.  No verdict is given on what is left, and --strict, tracecheck and tracediff refuse it.
for rank in 0 1; do
	mkdir -p run/$rank
	{
		echo '"Kind","Agent_Id","Queue_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","Private_Segment_Size","Group_Segment_Size","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"'
		i=0
		while [ $i -lt 40 ]; do
			i=$((i + 1))
			echo "\"KERNEL_DISPATCH\",4,1,99,$i,7,\"void brief<float>(int)\",$i,$((1000000 + i * 1100)),$((1001000 + i * 1100)),0,0,64,1,1,640,1,1"
		done
		echo '"KERNEL_DISPATCH",4,1,99,41,8,"void long_one<float>(int)",41,1100000,1200000,0,0,64,1,1,640,1,1'
	} >run/$rank/kernel_trace.csv
done
for to in pftrace chrome; do
	tracecat -q --no-findings --to $to --no-flows --args none -o whole.$to 0=run/0/kernel_trace.csv 1=run/1/kernel_trace.csv
	[ $to = pftrace ] && size=6000 || size=20000
	tracecat --no-findings --to $to --budget "$size" -o small.$to 0=run/0/kernel_trace.csv 1=run/1/kernel_trace.csv
	tracecat info -q -f csv --columns rank,kinds,skipped,lost,lost_why small.$to
	kstats -q -f csv --columns metric,value,unit,name small.$to | grep 'records.lost\|rows.skipped'
	kstats small.$to 2>&1 | sed -n 1p
	kstats timeline --strict small.$to >/dev/null
	echo "--strict: $?"
	tracecheck -q --rule 'kernels.calls >= 1' small.$to
	echo "tracecheck: $?"
	tracediff -q whole.$to small.$to
	echo "tracediff: $?"
	# run.db keeps it.
	tracemerge -q -o run.db small.$to
	tracecat info -q -f csv --columns rank,lost,lost_why run.db
	# Nothing but arguments.
	kstats -q whole.$to 2>&1 | sed -n 1p
	tracecat info -q -f csv --columns rank,lost,lost_why whole.$to
	kstats timeline --strict whole.$to >/dev/null
	echo "--strict: $?"
done
