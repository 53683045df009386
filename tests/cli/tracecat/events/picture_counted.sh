# Counters of dispatches are not drawn, but whoever reads the picture is told that there were some: kernels of a counter
# collection run one at a time, so nothing is predicted from their times, as from the trace; in a run.db of the picture and a
# picture of that too.  Samples of a counter over time say nothing of the kind.
head=kind,rank,agent,corr,name,start_ns,end_ns,value,counter
printf '%s\n' $head kernel,0,4,1,gemm,1000,2000,, kernel,0,4,2,gemm,3000,4000,, counter,0,4,1,gemm,1000,2000,5,SQ_WAVES >counted.csv
sed 's/,1,gemm,1000,2000,5/,,,1000,2000,5/' counted.csv >sampled.csv
ask() {
	for table in whatif path; do
		kstats $table -f csv "$1" >out || echo "$1: kstats $table: status $?"
	done
}
ask counted.csv
for to in pftrace chrome; do
	tracecat -q --to $to --kind kernel -o once.$to counted.csv
	tracemerge -q -o $to.db once.$to
	tracecat -q --to $to -o twice.$to $to.db
	ask once.$to
	ask twice.$to
done
tracecat -q --to pftrace -o sampled.pftrace sampled.csv
ask sampled.pftrace
tracecat info -q -f csv --columns rows,skipped,lost twice.pftrace
