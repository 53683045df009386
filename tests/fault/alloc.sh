#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Memory runs out at every allocation there is: a tool says so with status 2, or does without and
# gives the right answer with status 0; it never crashes or hangs.  Once at each allocation, and for
# good at every fifth.
set -u
# shellcheck disable=SC1091
. "$ROOT/tests/fault/common.bash"

# each.sh has the same law for every command and all kinds of calls; here a sweep is denser, and its
# sample a quarter of what others take.
if [ "$effort" -lt 100 ]; then
	effort=$(((effort + 3) / 4))
fi

tar -czf run.tar.gz -C "$DATA" ranks/rank0 stats/app_kernel_stats.csv || exit 1
# The built-in classes are some thousand allocations: a table of two rules gets as far in less time, and
# the large one is tried in steps.  Not with what only regexec understands: glibc frees things twice and
# crashes there when memory runs out.
printf 'gemm\tgemm\ncopy\tfill|[Cc]opy\n' >rules.tsv

# One run with allocation $1 failing, $2 = it or it and all after it; the rest is the command.
try() {
	local n=$1 how=$2 status what
	shift 2
	faulty FAULT_ALLOC="$n" FAULT_ALLOC_ALL="$how" -- "$@"
	status=$?
	if [ "$status" -eq 0 ] && alike out right; then
		return
	fi
	# Where libarchive has no memory for a string it ends the program itself, and says so.
	if [ "$status" -eq 1 ] && grep -q 'Fatal Internal Error in libarchive: .*memory' err; then
		return
	fi
	# So does the loader, where it has none for a part of libarchive.
	if [ "$status" -eq 127 ] && [ "$(<err)" = 'out of memory' ]; then
		return
	fi
	# Where it stops without a reason, one must be made up.
	if [ "$status" -eq 2 ] && grep -qiE 'out of memory|cannot allocate memory|tar data is damaged' err; then
		return
	fi
	case $status in
	0) what='status 0, another answer' ;;
	2) what="status 2, said: $(head -n 1 err)" ;;
	*) what="status $status" ;;
	esac
	printf '%s: with one allocation failing%s: %s\t%d\n' "$*" "${how:+, and all after it}" "$what" "$n" >>wrong
}

# Every $1-th allocation of a command fails in turn.
sweep() {
	local step n all
	step=$(sparse "$1")
	shift
	"$@" >right 2>/dev/null
	LD_PRELOAD=$FAULT FAULT_COUNT=count "$@" >out 2>/dev/null
	if ! cmp -s out right; then
		bad "preloading changes the answer: $*"
	fi
	all=$(<count)
	if [ "$all" -lt 5 ]; then
		bad "only $all allocations seen: $*"
	fi
	for ((n = 1; n <= all; n += step)); do
		try "$n" '' "$@"
		if (((n - 1) / step % 5 == 0)); then
			try "$n" 1 "$@"
		fi
	done
}

top=(kstats top -j 1 -f csv)
sweep 1 "${top[@]}" --classes rules.tsv "$TRACE"
sweep 1 "${top[@]}" --classes rules.tsv "$STATS"
sweep 1 "${top[@]}" --classes rules.tsv run.tar.gz
sweep 1 "${top[@]}" --classes rules.tsv --per rank,agent,shape -w 10%..90% -s p99,name -f json "$DATA/ranks"
sweep 1 "${top[@]}" --classes rules.tsv "$TESTDATA/rocprofv2/6.1/cli/kernels.txt"
sweep 1 "${top[@]}" --classes rules.tsv "$TESTDATA/kineto/7.0/step"
sweep 1 "${top[@]}" --classes rules.tsv "$TESTDATA/perfetto-sdk/44/tiny/tiny.pftrace"
tar -cf kineto.tar -C "$TESTDATA/kineto/7.0/step" worker_77.pt.trace.json
sweep 1 "${top[@]}" --classes rules.tsv kineto.tar
sweep 17 tracecat info -j 1 -f csv "$TESTDATA/rocpd/3.0.0/ranks/merged.db"
sweep 97 "${top[@]}" "$TRACE"
# A file given twice, a list of files, and ranks that are dealt around those that a trace or a database has.
cp "$TRACE" again.csv
cp "$TESTDATA/rocprofv3/7.0/hostile/one_kernel_trace.csv" .
printf 'rocprofiler-sdk:\n  rocpd:\n    files:\n      - again.csv\n      - one_kernel_trace.csv\n' >index.yaml
tracemerge -q -o one.db one_kernel_trace.csv
sweep 1 "${top[@]}" --classes rules.tsv --per rank "$TRACE" again.csv
sweep 1 "${top[@]}" --classes rules.tsv --per rank index.yaml
sweep 97 "${top[@]}" --classes rules.tsv --per rank again.csv "$TESTDATA/kineto/7.0/step" one.db
run=$DATA/run
for question in "sync --during idle" copies memory "memory --list"; do
	# shellcheck disable=SC2086 # words of a command
	sweep 7 kstats $question -j 1 -f csv --classes rules.tsv "$run"
done
for question in gaps "gaps --list" "gaps --hist --per queue" launch "launch --name class"; do
	# shellcheck disable=SC2086
	sweep 3 kstats $question -j 1 -f csv --classes rules.tsv "$DATA/sync_each"
done
sweep 1 kstats sync -j 1 -f csv --classes rules.tsv "$TESTDATA/rocprofv3/7.0/stats/app_hip_api_stats.csv"
regions=("$DATA/run/app_kernel_trace.csv" "$DATA/run/app_hip_api_trace.csv" "$DATA/run/app_marker_api_trace.csv")
sweep 3 kstats regions -j 1 -f csv --classes rules.tsv "${regions[@]}"
sweep 3 kstats ops -j 1 -f csv --classes rules.tsv "${regions[@]}"
sweep 3 kstats ops --paths -j 1 -f csv --classes rules.tsv "$ROOT/testdata/kineto/2.9/train/worker_40.pt.trace.json"
sweep 3 kstats ops -j 1 -f csv --classes rules.tsv --per rank,shape "$ROOT/testdata/kineto/2.9/train/worker_40.pt.trace.json"
sweep 3 kstats regions --steps -j 1 -f csv --classes rules.tsv -w step:1 "${regions[@]}"
sweep 3 kstats ranks --imbalance -j 1 -f csv --classes rules.tsv -w 'marker:step 0' "${regions[@]}"
printf 'comm\tnccl\n' >comm.tsv
rccl=$TESTDATA/rccl/2.18/two_ranks
sweep 1 kstats ranks --collectives -j 1 -f csv --classes comm.tsv 0="$rccl/0_kernel_trace.csv" \
	0="$rccl/0_rccl.log" 1="$rccl/1_kernel_trace.csv" 1="$rccl/1_rccl.log"
sweep 5 kstats whatif -j 1 -f csv --classes comm.tsv --balance --scale comm=0.5 --ranks 0="$rccl/0_kernel_trace.csv" \
	0="$rccl/0_rccl.log" 1="$rccl/1_kernel_trace.csv" 1="$rccl/1_rccl.log"
sweep 5 kstats whatif -j 1 -f csv --classes rules.tsv --steps --no-sync "${regions[@]}"
sweep 5 kstats path --list -j 1 -f csv --classes rules.tsv "${regions[@]}"
sweep 1 kstats top --help
sweep 1 tracecat -j 1 --classes rules.tsv "$TRACE"
sweep 1 tracecat -j 1 --classes rules.tsv --sort start_ns --to ndjson -w 10%..90% "$DATA/ranks"
sweep 1 tracecat info -j 1 -f csv "$DATA/ranks" run.tar.gz
# SQLite allocates often, and much the same each time.
sweep 61 tracecat -j 1 --classes rules.tsv "$TESTDATA/rocpd/3.0.5/processes/merged.db"
sweep 17 tracecat -j 1 --classes rules.tsv "$TESTDATA/rpd/2/sessions/trace.rpd"
sweep 17 tracecat -j 1 --classes rules.tsv "$TESTDATA/rocprofv1/6.2/database/trace.db"
sweep 1 tracecat -q -j 1 --classes rules.tsv "$TESTDATA/kineto/7.0/step" "1=$TESTDATA/chrome/plain"
sweep 1 tracecat -q -j 1 --classes rules.tsv "0=$TESTDATA/rocprofv3/7.0/json" "1=$TESTDATA/rocprofv1/6.2/json" \
	"2=$TESTDATA/rpd"
power=$TESTDATA/madengine/2.0
sweep 1 powerstats -f csv --what power 0="$power/power" 1="$power/mi200"
cp "$ROOT/tests/fuzz/regressions/power/amd_smi_monitor.csv" .
sweep 1 powerstats -f csv --what vram amd_smi_monitor.csv
sweep 1 powerstats -j 1 -f csv --classes rules.tsv --offset 1000000000 --trace "$power/energy/app_kernel_trace.csv" \
	"$power/energy/gpu_info_power_profiler_output.csv"
sweep 1 tracecat -q -j 1 --classes rules.tsv "$TESTDATA/rocprofv1/6.2/text_hip" "1=$TESTDATA/rocprofv1/6.2/text_hsa"
sweep 1 kstats top -q -j 1 -f csv --domain marker --classes rules.tsv "$TESTDATA/rocprofsys/1.2/run"
cp "$ROOT/tests/fuzz/regressions/rocprofsys_json/several_ranks" ranks.json
sweep 1 kstats top -q -j 1 -f csv --domain marker --per rank --classes rules.tsv ranks.json
# A log of two lines of each library is as far as the log gets.
logs=$TESTDATA/madengine/2.0/logs
libperf trace -q "$logs/node1.log" >library_trace.csv
sweep 1 libperf trace "$logs"
sweep 1 libperf trace --model x library_trace.csv
sweep 1 libperf top -f json library_trace.csv
sweep 1 libperf top --libraries --trace "$STATS" "$logs/node1.log"
gemm=$TESTDATA/hipblaslt/7.0/bench
sweep 1 libperf bench "$TESTDATA/hipblaslt/6.3/bench" "$TESTDATA/miopen/2.10/driver" "$TESTDATA/pytorch/2.4/tunableop"
# Two processes that took turns; and GEMMs with scales.
seeds=$ROOT/tests/fuzz/regressions
cp "$seeds/lib_bench/tags_of_processes" processes.txt
cp "$seeds/lib_bench/tunableop_scaled" scaled.csv
sweep 1 libperf bench -f csv processes.txt
sweep 1 libperf best -f csv scaled.csv
sweep 1 libperf best -f csv "$gemm/tuned.txt" "$TESTDATA/rocblas/5.7/bench"
sweep 1 libperf compare -f csv --trace "$TESTDATA/madengine/2.0/library/library_trace.csv" "$gemm/default.txt" "$gemm/tuned.txt"
if [ -f wrong ]; then
	while IFS= read -r line; do
		bad "$line"
	done < <(awk -F '\t' '
		!n[$1]++ { first[$1] = $2 }
		END {
			for (w in n)
				print w " (" n[w] " times, first at allocation " first[w] ")"
		}' wrong | sort)
fi
finish
