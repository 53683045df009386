# Operators by the GPU time of what they launched: by External id, else by the call on its thread (15, 16), with a graph
# as one launch (16), from Python only (19), and the rest with a reason (17, 18, 99): 425 us in all, as `top` has it.
trace=$TESTDATA/kineto/2.9/train/worker_40.pt.trace.json
kstats ops "$trace"
kstats ops -f csv "$trace"
# Apart by what the operators take: aten::mm is two rows.
kstats ops -q -f csv --per shape "$trace"
kstats ops -q -f md -n 1 "$trace"
# Whole paths: the backward aten::mm are in the module of their forward operator, number 5 of thread 1 in torch's words.
kstats ops -q -f csv --paths "$trace"
# Copies and fills are further operations: 8 us with aten::linear itself.
kstats ops -q -f csv --domain all "$trace" | grep -e ::linear -e no.launch
kstats ops -q -f csv --domain hip "$trace"
# Only what starts in the window; the launch before it, and the operator around that, count all the same.
kstats ops -q -f csv -w 1700000000000600000..1700000000000700000 "$trace"
# run.db says the same; one of version 4, without External ids and categories, knows annotations only.
kstats ops -q -f csv "$trace" >want
tracemerge -q -o run.db "$trace"
kstats ops -q -f csv run.db | cmp - want
sqlite3 run.db 'PRAGMA user_version = 4'
kstats ops -q -f csv run.db
# Two ranks are added up, or told apart.
kstats ops -q -f csv -n 2 0="$trace" 1=run.db
kstats ops -q -f csv --per rank -n 3 0="$trace" 1=run.db
