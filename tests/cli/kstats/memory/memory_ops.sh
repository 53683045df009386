# What was held at the peak, by who allocated it: at 70 there are 100 of aten::empty in step 1, 50 and 60 of it in step 2 (the
# number of a step is folded: 210 in 3 blocks), 30 outside everything and 5 of another thread; what aten::mm took came
# and went before (120 at 12, freed at 20).
memory() { # TS TID BYTES ADDRESS
	echo "{\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": \"[memory]\", \"pid\": 1, \"tid\": $2, \"ts\": $1," \
		"\"args\": {\"Bytes\": $3, \"Addr\": $4, \"Device Id\": 0, \"Device Type\": 1}}"
}
range() { # CAT NAME TID TS DUR
	echo ", {\"ph\": \"X\", \"cat\": \"$1\", \"name\": \"$2\", \"pid\": 1, \"tid\": $3, \"ts\": $4, \"dur\": $5, \"args\": {}}"
}
{
	echo '{"schemaVersion": 1, "deviceProperties": [], "traceEvents": ['
	memory 5 1 100 16
	range user_annotation ProfilerStep#1 1 0 30
	range cpu_op aten::empty 1 4 3
	range cpu_op aten::mm 1 10 15
	echo , && memory 12 1 120 32
	echo , && memory 20 1 -120 32
	range user_annotation ProfilerStep#2 1 40 25
	range cpu_op aten::empty 1 44 5
	echo , && memory 45 1 50 48
	echo , && memory 48 1 60 64
	echo , && memory 66 1 30 80
	echo , && memory 70 2 5 96
	echo ']}'
} >t.json
kstats memory --ops t.json
kstats memory -q --ops -f csv t.json | tee want
kstats memory -q --list -f csv --columns bytes t.json | awk 'NR > 1 { n += $1 } END { print n }'
kstats memory -q --ops -f csv -w 10000..30000 t.json # 220 at 12
tracemerge -q -o run.db t.json
kstats memory -q --ops -f csv run.db | cmp - want
# Records without a thread are of nobody.
kstats memory -q --ops -f csv -n 1 "$TESTDATA/rocprofv3/7.0/run"
