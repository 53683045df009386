# Stacks of what launched the kernels, the heaviest first: 425 us in all, as `kstats top` has it, 250 of them forward
# (120 + 15) and backward (100 + 80 of aten::mm, in the module of their forward operator); 30 of a graph outside any step.
trace=$TESTDATA/kineto/2.9/train/worker_40.pt.trace.json
tracecat --to folded "$trace"
tracecat -q --to folded "$trace" | awk '{ n += $NF } END { print n }'
kstats top -q -f csv --columns total_ns "$trace" | awk '{ n += $1 } END { print n }'
# Copies as well: 8 us of aten::linear and what has no launch.
tracecat --to folded --kind kernel,copy "$trace" | grep Mem
tracecat --to folded --weight bytes "$trace"
# Filters leave the stacks, a window leaves the launch before it.
tracecat --to folded -k graph_gemm "$trace"
tracecat --to folded --class gemm -n 1 "$trace"
tracecat --to folded -w 1700000000000600000..1700000000000700000 "$trace"
# Each instant of a thread counts once.
tracecat --to folded --weight host -n 3 -j 1 "$trace" | tee one
tracemerge -q -o run.db "$trace"
tracecat --to folded --weight host -n 3 run.db | cmp - one
tracecat --to folded run.db >two
tracecat --to folded "$trace" | cmp - two
# Two ranks are added up.
tracecat -q --to folded -n 1 0="$trace" 1=run.db
