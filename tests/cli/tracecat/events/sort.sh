# By start, whatever the order of rows, of inputs and of workers; rank 1 runs on a clock of its own.
d=$TESTDATA/rocprofv3/7.0/ranks
tracecat -q --sort start_ns "$d" >a.csv
tracecat -q --sort start_ns -j 1 "$d/rank1" "$d/rank0" >b.csv
cmp a.csv b.csv
# The rows of one rank backwards, ranks given by hand.
for r in 0 1; do
	f=$d/rank$r/app_kernel_trace.csv
	{ head -n 1 "$f" && tail -n +2 "$f" | tac; } >back$r.csv
done
tracecat -q --sort start_ns 1=back1.csv 0=back0.csv >c.csv
cmp a.csv c.csv
awk -F, 'NR > 2 && $1 < last { print "out of order: " $0 } { last = $1 }' a.csv >/dev/null
tracecat -q --sort start_ns --columns start_ns,rank,name "$d" >starts.csv
tail -n +2 starts.csv | cut -d , -f 1 | sort -n -c
tracecat -q --sort start_ns --columns start_ns,rank,kind,name "$TESTDATA/rocprofv3/7.0/run" -w 7000000100000..7000000300000
