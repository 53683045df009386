# What torch's allocator states of itself, beside the replay: it held 900 bytes before the trace began, so at 30 it has given
# out 900 + 100 + 50 = 1050, the most, and reserved 4096 from the device; of the host nothing is stated but at 60.
cat >t.json <<'T'
{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::empty", "pid": 1, "tid": 1, "ts": 5, "dur": 100, "args": {"External id": 1}},
{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 10, "args": {"Total Reserved": 2048, "Total Allocated": 1000, "Bytes": 100, "Addr": 16, "Device Id": 0, "Device Type": 1}},
{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 30, "args": {"Total Reserved": 4096, "Total Allocated": 1050, "Bytes": 50, "Addr": 32, "Device Id": 0, "Device Type": 1}},
{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 40, "args": {"Total Reserved": 4096, "Total Allocated": 950, "Bytes": -100, "Addr": 16, "Device Id": 0, "Device Type": 1}},
{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 50, "args": {"Total Reserved": 4096, "Total Allocated": 1050, "Bytes": 100, "Addr": 16, "Device Id": 0, "Device Type": 1}},
{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 60, "args": {"Total Allocated": 7, "Bytes": 7, "Addr": 64, "Device Id": -1, "Device Type": 0}}
]}
T
kstats memory t.json
kstats memory -q -f csv t.json | tee want
kstats memory -q -f csv -w 35000..45000 t.json # 950 at 40
tracemerge -q -o run.db t.json
kstats memory -q -f csv run.db | cmp - want
tracecat -q t.json | kstats memory -q -f csv - | cmp - want
