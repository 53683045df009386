# Ranks of one job, each an rpd: kept apart, with the sums they have alone, and the same again from run.db.
for i in 0 1 2 3; do
	cp "$TESTDATA/rpd/2/sessions/trace.rpd" "trace_$i.rpd"
	sqlite3 "trace_$i.rpd" "UPDATE rocpd_op SET start=start+$i,\"end\"=\"end\"+2*$i"
done
tracemerge -q trace_?.rpd >run.db
kstats top -q -f csv --per rank --columns rank,name,calls,total_ns run.db
kstats top -q -f csv --per rank trace_?.rpd >raw
kstats top -q -f csv --per rank run.db >merged
cmp raw merged
