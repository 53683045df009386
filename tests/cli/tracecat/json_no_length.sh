# A complete event (X) without "dur" has no end: it is skipped and counted, as with "dur": null, and is no kernel of 0 ns.
# Instants (i), and begins and ends (B, E), have no length.
cat >k.json <<'J'
{"schemaVersion":1,"distributedInfo":{"rank":0},"traceEvents":[
{"ph":"X","cat":"kernel","name":"a","pid":0,"tid":0,"ts":10,"dur":5,"args":{"device":0,"stream":0,"correlation":1}},
{"ph":"X","cat":"kernel","name":"b","pid":0,"tid":0,"ts":20,"args":{"device":0,"stream":0,"correlation":2}},
{"ph":"X","cat":"kernel","name":"c","pid":0,"tid":0,"ts":30,"dur":null,"args":{"device":0,"stream":0,"correlation":3}},
{"ph":"X","cat":"kernel","name":"d","pid":0,"tid":0,"ts":40,"dur":0,"args":{"device":0,"stream":0,"correlation":4}}
]}
J
cat >c.json <<'J'
[{"ph":"X","name":"a","pid":1,"tid":1,"ts":10,"dur":5},
{"ph":"X","name":"b","pid":1,"tid":1,"ts":20},
{"ph":"B","name":"c","pid":1,"tid":1,"ts":30},
{"ph":"E","name":"c","pid":1,"tid":1,"ts":35},
{"ph":"i","name":"d","pid":1,"tid":1,"ts":40,"s":"t"}]
J
tracecat --columns kind,name,start_ns,end_ns k.json
tracecat --columns kind,name,start_ns,end_ns c.json
