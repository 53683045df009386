# Of counters, --budget keeps the smallest and the largest value in each ms, and the last one.  1,000 values, one each
# 10 us, go from 100 to 199 in each of 10 ms: 100 and 199 of the first nine stay, and 100, 198 and the last, 199, of the
# tenth, 21 of 1,000.  Who reads the timeline again learns that 979 are missing, and gets no verdict.
awk 'BEGIN {
	print "kind,rank,agent,queue,name,start_ns,end_ns,value,counter"
	print "kernel,0,4,1,work,1000000,11000000,,"
	for (i = 0; i < 1000; i++)
		printf "counter,0,4,,,%d,%d,%d,power\n", 1000000 + 10000 * i, 1000000 + 10000 * i, 100 + i % 100
}' >run.csv
for to in pftrace chrome; do
	tracecat --no-findings --to $to --budget 6K -o small.$to run.csv
	tracecat -q --kind counter --columns value small.$to | sed 1d | uniq -c | awk '{ printf "%s ", $2 } END { print "" }'
	tracecat info -q -f csv --columns kinds,lost,lost_why small.$to
	kstats -f csv --columns metric,value,name -q small.$to | grep records.lost
	tracemerge -q -o run.db small.$to
	tracecat info -q -f csv --columns lost_why run.db
done
