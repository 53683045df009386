# Keys, categories and packets that nothing is read of are named: of JSON by key (of the file and of its events), also when
# hostile or without end, and of Perfetto traces by the kind of packet.
cat >k.json <<'END'
{"schemaVersion":1,"deviceProperties":[],"my, \"own\"":{"a":1},"traceEvents":[
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":10,"dur":2,"cname":"red","args":{"device":0,"stream":7,"correlation":3}},
{"ph":"s","cat":"ac2g","name":"ac2g","id":3,"pid":0,"tid":7,"ts":10,"bp":"e"}],
"tail":2}
END
python3 - <<'END'
with open("many.json", "w") as f:
    f.write('{"schemaVersion":1,"deviceProperties":[],"traceEvents":[\n')
    f.write(",\n".join('{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":%d,"dur":1,"x%d":0,"args":{}}' % (i, i)
                       for i in range(1500)))
    f.write("]}")
def field(n, body): # a length-delimited field of protobuf
    head, tag = b"", n << 3 | 2
    while tag > 127:
        head, tag = head + bytes([tag & 127 | 128]), tag >> 7
    return head + bytes([tag, len(body)]) + body
event = bytes([64, 100]) + bytes([80, 1]) + field(11, bytes([72, 1, 88, 5]) + field(23, b"k"))
end = bytes([64, 110]) + bytes([80, 1]) + field(11, bytes([72, 2, 88, 5]))
track = bytes([80, 1]) + field(60, bytes([8, 5]) + field(2, b"GPU"))
with open("p.pftrace", "wb") as f:
    for packet in (track, event, end, bytes([80, 1]) + field(53, b"\x08\x01"), bytes([24, 9, 80, 1]) + field(900, b"x")):
        f.write(field(1, packet))
END
cp "$TESTDATA/rocprofv3/7.0/json/1234_results.json" v.json
for f in k.json p.pftrace v.json; do
	echo "-- $f"
	tracecat info -q -f csv --columns rows,not_used $f
done
tracecat info -q -f csv --columns not_used many.json | tr ',' '\n' | grep -c '^ *x'
tracecat info -q -f csv --columns not_used many.json | grep -o '(more)'
# A table in run.db that is none of a run.
tracemerge -q -o run.db k.json
tracecat info -q -f csv --columns path,not_used run.db
python3 -c 'import sqlite3; sqlite3.connect("run.db").execute("CREATE TABLE \"my notes\" (id INTEGER)")'
tracecat info -q -f csv --columns path,not_used run.db
