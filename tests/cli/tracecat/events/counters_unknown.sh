# Values of rocprofv3's JSON that cannot be used are counted, with the byte of their record: one of a counter that the file does
# not describe, one that is no number; 2.5 of SQ_WAVES stays.  Who does not look at counters is not told; run.db as the file.
sed 's/"counter_id":{"handle":32}/"counter_id":{"handle":99}/; s/"value":1.5}/"value":"many"}/' \
	"$TESTDATA/rocprofv3/7.0/json/1234_results.json" >c.json
tracecat --kind counter -f csv --columns name,counter,value c.json 2>&1
kstats top -f csv --columns name,calls c.json 2>&1 | tail -1
tracemerge -q -o run.db c.json
tracecat --kind counter -f csv --columns name,counter,value run.db 2>&1
# A counter of Chrome's JSON without any number; one with a number next to a text has what it needs.
cat >d.json <<'END'
{"traceEvents":[
{"ph":"C","name":"power","pid":1,"ts":10,"args":{"watts":"much"}},
{"ph":"C","name":"power","pid":1,"ts":11,"args":{"watts":5,"unit":"W"}},
{"ph":"X","name":"k","pid":1,"tid":1,"ts":12,"dur":3}]}
END
tracecat -f csv --columns name,counter,value d.json 2>&1
