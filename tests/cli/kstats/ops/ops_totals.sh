# Totals of ranks answer as their traces do, also where a function of Python has its row from another rank: f launches
# 30 us on rank 0 and nothing on rank 1, where it ran 200 us; g launches nothing anywhere, so it has no row.
# A step is numbered 3 on one rank and 12 on the other.
trace() {
	printf '{"schemaVersion": 1, "distributedInfo": {"rank": %d, "world_size": 2}, "traceEvents": [\n' "$1"
	printf '{"ph": "X", "cat": "python_function", "name": "g", "pid": 7, "tid": 7, "ts": 5, "dur": 900},\n'
	printf '{"ph": "X", "cat": "python_function", "name": "f", "pid": 7, "tid": 7, "ts": 10, "dur": %d}' "$2"
	shift 2
	printf ',\n%s' "$@"
	printf '\n]}\n'
}
launch() { # AT ID
	printf '{"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 7, "tid": 7, "ts": %d, "dur": 1, "args": {"correlation": %d}}' "$1" "$2"
}
kernel() { # AT ID DURATION
	printf '{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 1, "ts": %d, "dur": %d, "args": {"device": 0, "stream": 1, "correlation": %d}}' "$1" "$3" "$2"
}
step() { # NUMBER AT DURATION
	printf '{"ph": "X", "cat": "user_annotation", "name": "step#%d", "pid": 7, "tid": 7, "ts": %d, "dur": %d}' "$1" "$2" "$3"
}
trace 0 100 "$(launch 20 1)" "$(kernel 1000 1 30)" "$(step 3 300 100)" "$(launch 310 2)" "$(kernel 1100 2 50)" > 0.json
trace 1 200 "$(step 12 300 100)" "$(launch 310 2)" "$(kernel 1100 2 40)" > 1.json
for rank in 0 1; do
	tracemerge -q --stats-only -o $rank.db $rank=$rank.json
done
tracemerge -q --stats-only -o 01.db 0.db 1.db
tracemerge -q --stats-only -o 10.db 1.db 0.db
kstats ops -q -f csv 0=0.json 1=1.json | tee want
for files in 01.db 10.db '0.db 1.db' '0.db 1=1.json'; do
	# shellcheck disable=SC2086
	kstats ops -q -f csv $files | cmp - want
done
# One rank by itself is named; g still has no row.
kstats ops -f csv 1.db
kstats ops -f csv --paths 1.db
