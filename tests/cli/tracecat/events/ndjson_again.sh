# What tracecat wrote as NDJSON is read again and written as it was, from a file and from a pipe; the same events as CSV.
events=$TESTDATA/tracecat/0.2/events
columns=$(head -1 "$events.csv")
tracecat -q -f ndjson --columns "$columns" "$events.ndjson" >again
tracecat -q -f ndjson --columns "$columns" <"$events.csv" | cmp - again && echo same
kstats top -q -f csv --per rank --columns rank,name,calls,total_ns <"$events.ndjson"
# Bad rows are left out and counted: no object, a key of nobody (or twice), values of no kind, number or rank; the end before
# the start.  The last line has no newline, and is whole: kept.
cat >bad.nd <<'T'
{"kind":"kernel","name":"a","start_ns":10,"end_ns":30,"rank":1}
[1]
{"kind":"kernel","name":"b","start_ns":10,"end_ns":30,"rank":1,"what":1}
{"kind":"kernel","name":"b","start_ns":10,"end_ns":30,"rank":1,"rank":1}
{"kind":"walk","name":"b","start_ns":10,"end_ns":30,"rank":1}
{"kind":"kernel","name":"b","start_ns":"x","end_ns":30,"rank":1}
{"kind":"kernel","name":"b","start_ns":10,"end_ns":30,"rank":null}
{"kind":"kernel","name":"b","start_ns":10,"end_ns":30,"rank":1} x
{"kind":"kernel","name":"b","start_ns":true,"end_ns":30,"rank":1}
{"kind":"kernel","name":"b","start_ns":31,"end_ns":30,"rank":1}

{"kind":"kernel","name":"caf\u00e9 \ud83d\ude00","start_ns":10,"end_ns":30,"rank":1}
T
printf '{"kind":"kernel","name":"z","start_ns":40,"end_ns":47,"rank":1}' >>bad.nd
kstats top -f csv --columns name,calls,total_ns bad.nd
head -c -1 bad.nd | kstats top -f csv --columns name,calls,total_ns # cut
# Of two ranks, mixed; the loss is that of the rank.
printf '{"kind":"kernel","name":"%s","start_ns":%s,"end_ns":%s,"rank":%s}\n' a 0 5 7 b 1 7 3 a 10 21 7 b 9 4 3 >two.nd
kstats top -f csv --per rank --columns rank,name,calls,total_ns two.nd
kstats top -q -f csv --per rank --columns rank,name,calls,total_ns - <two.nd
kstats top -q -f csv --rank 3 --columns name,calls,total_ns two.nd
tracecat info -q -f csv --columns path,format,rank,rows,skipped two.nd
# Nothing but a head like that is one.
printf '{"kind":"kernel","name":"b","start_ns":1,"end_ns":3,"more":1}\n' >more.nd
kstats top more.nd
kstats top --from tracecat-ndjson more.nd
