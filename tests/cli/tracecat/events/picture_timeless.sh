# Calls of a log of RCCL have no times and cannot be drawn: as many rows are missing for who reads the picture as for who reads
# the trace, although nothing else of their ranks is drawn (the two logs are ranks 1 and 3).  A rank all of whose rows were
# skipped is there for its loss as well; ids of processes that were made up for such ranks are nobody's.
run=$TESTDATA/rccl/2.18/two_ranks
kstats -q -f csv "$run" | grep -e rows.skipped -e '^ranks' -e '^inputs'
head='"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
printf '%s\n' kind,rank,pid,agent,name,start_ns,end_ns kernel,0,66,4,k,1000,2000 >0.csv
printf '%s\n' "$head" '"KERNEL_DISPATCH","Agent 4",1,"k",1,900,800' >1.csv
printf '%s\n' kind,rank,pid,tid,name,start_ns,end_ns api,2,77,77,hipMalloc,1000,2000 >2.csv
for to in pftrace chrome; do
	tracecat -q --to $to -o once.$to "$run"
	tracecat -q --to $to -o twice.$to once.$to
	for input in once.$to twice.$to; do
		kstats -q -f csv "$input" | grep -e rows.skipped -e '^ranks' -e '^inputs'
	done
	tracecat info -q -f csv --columns rank,rows,skipped,skipped_why once.$to
	tracecat -q --to $to -o three.$to 0=0.csv 1=1.csv 2=2.csv
	tracecat info -q -f csv --columns rank,pids,rows,skipped three.$to
	kstats top --strict -f csv --columns name,calls three.$to
done
