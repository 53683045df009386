# A picture counts once where what it was drawn of is read, too: in its directory, below it or beside it, in whatever format.
for rank in 0 1; do
	mkdir -p "csv/rank$rank" "pictures/rank$rank"
	awk -v r=$rank 'BEGIN {
		print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp"
		for (i = 0; i < 20; i++)
			printf "KERNEL_DISPATCH,4,1,k%d,%d,%d,%d\n", i % 3, i, 100000 + r * 777 + i * 5000, 103000 + r * 777 + i * 5000 + i * (r + 1)
	}' >"csv/rank$rank/1_kernel_trace.csv"
done
count() { # names, calls and times of each rank
	kstats top --per rank -f csv --columns rank,name,calls,total_ns "$@"
}
once() { # WHAT OPERAND...
	what=$1
	shift
	count -q "$@" | cmp - want && echo "$what: once"
}
count -q csv >want
cat want
for format in pftrace chrome; do
	tracecat -q --to $format -o drawn csv
	cp drawn csv/all.$format
	count csv | cmp - want
	rm csv/all.$format
	mkdir out
	cp drawn out/all.$format
	once "$format beside" csv out
	rm -r out
	tracecat -q --to $format -o csv/rank1/one.$format csv/rank1
	once "$format of one" csv
	rm csv/rank1/one.$format
done
# What it was drawn of may be a run.db, which holds traces from elsewhere.
mkdir kept
tracemerge -q -o kept/run.db csv
for format in pftrace chrome; do
	tracecat -q --to $format -o kept/all.$format kept/run.db
	once "$format of run.db" kept
	rm kept/all.$format
done
# The same of traces in the format of pictures: those of single ranks stand for what a profiler wrote.
cp "$TESTDATA/perfetto-sdk/44/tiny/tiny.pftrace" .
kstats top -q -f csv --columns name,calls tiny.pftrace >single
tracecat -q --to pftrace -o drawn.pftrace tiny.pftrace
mkdir tiny
cp tiny.pftrace drawn.pftrace tiny
kstats top -f csv --columns name,calls tiny | cmp - single
# Another run is another run.
awk -F, -v OFS=, 'NR > 1 { $7 += 5 } { print }' csv/rank1/1_kernel_trace.csv >other_kernel_trace.csv
tracecat -q --to pftrace -o csv/other.pftrace 0=csv/rank0 1=other_kernel_trace.csv
kstats top --per rank -f csv --columns rank,name,calls csv
