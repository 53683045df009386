# A marker that names a step is one, even where it occurs once, and even where kernels repeat: three repeats of
# a b under one range.  The step of an optimizer, and a word that only holds "step" or "iter", is none: these
# runs are told from their kernels.
run() { # marker
	printf '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"\n"MARKER_CORE_RANGE_API","%s",1,10,1,1000,1600\n' "$1" >m_marker_api_trace.csv
	kstats steps -f csv --columns step,start_ns,window_ns,kernels m_marker_api_trace.csv m_kernel_trace.csv 2>&1
}
{
	echo '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
	i=0
	for k in a:1000 b:1050 a:1100 b:1150 a:1200 b:1250; do
		i=$((i + 1))
		echo "\"KERNEL_DISPATCH\",\"Agent 4\",1,0,10,$i,1,\"${k%:*}\",$i,${k#*:},$((${k#*:} + 40))"
	done
} >m_kernel_trace.csv
for marker in 'ProfilerStep#7' step 'Iteration 3' 'train_step=9, rank 0' 'TrainStep(2)' \
	'Optimizer.step#SGD.step' 'iterator 5' 'footstep 1' 'step forward'; do
	echo "# $marker"
	run "$marker" || exit
done
