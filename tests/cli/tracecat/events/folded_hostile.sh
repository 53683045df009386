# Names with what the lines use: ';' becomes ':', control characters blanks, and a frame without a name is named.
# Bytes of copies where the trace has them; a sum past 64 bits is exact.
cat >t.json <<'T'
{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "a;b\nc\u0007 7", "pid": 1, "tid": 1, "ts": 0, "dur": 100, "args": {"External id": 1}},
{"ph": "X", "cat": "cpu_op", "name": "", "pid": 1, "tid": 1, "ts": 10, "dur": 20, "args": {"External id": 2}},
{"ph": "X", "cat": "kernel", "name": "k;1\n2", "pid": 0, "tid": 0, "ts": 20, "dur": 5, "args": {"External id": 2}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 0, "ts": 30, "dur": 3, "args": {"External id": 1}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 0, "ts": 40, "dur": 1, "args": {"External id": 1, "bytes": 18446744073709551615}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 0, "ts": 42, "dur": 1, "args": {"External id": 1, "bytes": 2}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 0, "ts": 44, "dur": 1, "args": {"External id": 1}}
]}
T
tracecat --to folded t.json
tracecat --to folded --weight host t.json
tracecat --to folded --weight bytes t.json
tracecat --to folded --kind api t.json
tracecat --to folded --weight host --kind copy t.json
tracecat --to folded -s start_ns t.json
tracecat --to folded --columns name t.json
tracecat --to folded --thread 1 t.json
tracecat --weight host t.json
tracecat -o out --to folded -k nothing t.json; echo $?
ls
