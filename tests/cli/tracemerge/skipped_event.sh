# An event without a time is left out and counts as skipped, in the last line and in the database.
cat >k.json <<'END'
{"schemaVersion": 1, "traceEvents": [
{"ph":"X","cat":"kernel","name":"fill","pid":0,"tid":1,"ts":10,"dur":5,"args":{"device":0,"stream":1,"correlation":1}},
{"ph":"X","cat":"kernel","name":"late","pid":0,"tid":1,"dur":5,"args":{"device":0,"stream":1,"correlation":2}}
]}
END
tracemerge -o k.db k.json 2>said
sed 's/, [0-9]* bytes.*//' said >&2
sqlite3 k.db 'SELECT events, skipped, lost FROM input'
