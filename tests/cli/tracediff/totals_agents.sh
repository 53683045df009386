# Files of totals know where kernels ran: 2 GPUs against one are refused, also against a trace, and allowed if asked
# for; a copy to a third GPU is no kernel.
trace() { # FOLDER "AGENT ..." LONGER_NS
	mkdir "$1"
	awk -v agents="$2" -v longer="$3" 'BEGIN {
		print "Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp"
		n = split(agents, agent, " ")
		for (i = 1; i <= n; i++)
			for (k = 0; k < 3; k++)
				printf "KERNEL_DISPATCH,Agent %d,k,%d,%d,%d\n", agent[i], ++id, k * 1000, k * 1000 + 400 + i + k + longer
	}' >"$1/app_kernel_trace.csv"
}
trace one 1 0
trace two '1 2' 0
trace three '5 4' 1
{
	echo Kind,Direction,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,Start_Timestamp,End_Timestamp
	echo MEMORY_COPY,MEMORY_COPY_HOST_TO_DEVICE,Agent 0,Agent 9,90,10,20
} >three/app_memory_copy_trace.csv
for run in one two three; do
	tracemerge -q --stats-only -o $run.db $run
done
tracediff -q one.db two.db | tail -n 1
tracediff -q one two.db | tail -n 1
tracediff -q --allow agents one.db two.db | tail -n 1
tracediff -q two.db three.db | tail -n 1
tracecheck -q --rule 'kernels.total_ns <= baseline' --baseline two.db one.db | tail -n 1
