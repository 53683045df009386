#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The n-th allocation, read, write, rename ... fails, for each n, under every command of every tool and
# every format: each.py has the law.  As people build the tools, and, with calls of the program's own,
# with sanitizers, where such a build is among BUILDS.
set -u
# shellcheck disable=SC1091
. "$ROOT/tests/fault/common.bash"
# shellcheck disable=SC1091
. "$ROOT/tests/fault/commands.bash"

if ! command -v python3 >/dev/null; then
	echo "not run: no python3"
	exit 77
fi

# The built-in classes are some thousand allocations, the same for all: each.py puts this in.
printf 'gemm\tgemm\ncopy\tfill|[Cc]opy\ncomm\tnccl\n' >rules.tsv
gzip -nc "$TRACE" >packed_kernel_trace.csv.gz
zstd -q -c "$TRACE" >packed_kernel_trace.csv.zst
xz -c "$TRACE" >packed_kernel_trace.csv.xz
tar -cf run.tar -C "$DATA" ranks
tar -czf run.tar.gz -C "$DATA" ranks
(cd "$DATA" && zip -qr - ranks) >run.zip
commands+=(
	"kstats top -f csv packed_kernel_trace.csv.gz"
	"kstats top -f json packed_kernel_trace.csv.zst"
	"kstats top -f md packed_kernel_trace.csv.xz"
	"kstats top -f tsv run.tar"
	"kstats ranks -f text run.tar.gz"
	"kstats top -f csv --per rank run.zip"
	"kstats top -f text -o out/file $DATA/ranks"
	"tracecat --to csv --sort start_ns -o out/file $DATA/ranks"
	"tracecat --to ndjson run.zip"
	"tracecat info run.tar"
	"libperf trace -o out/file $logs"
	"powerstats -f json --what vram -o out/file $power/power"
	"tracemerge -q -o out/file $DATA/ranks"
	"tracemerge -q -o out/file $DATA/run"
	"tracemerge -q --stats-only -o out/file $DATA/run run.tar.gz"
	"tracemerge -q -o out/file 0=$rccl/0_kernel_trace.csv 0=$rccl/0_rccl.log 1=$rccl/1_kernel_trace.csv 1=$rccl/1_rccl.log"
	"tracemerge -q --no-index -o out/file $TESTDATA/rocpd/3.0.0/ranks"
	"tracediff -f json -o out/file $DATA/sync_each $DATA/sync_once"
	"tracediff --history -f csv --allow self,agents $DATA/sync_each $DATA/sync_once"
	"kstats top -f csv --per rank - |run.tar"
	"tracemerge -q -o out/file - |run.tar.gz"
	"tracediff -f csv $DATA/sync_each - |$DATA/sync_once/app_kernel_trace.csv"
	"tracecat - |packed_kernel_trace.csv.gz"
	"tracecat - |$TESTDATA/kineto/7.0/step/worker_77.pt.trace.json"
	"tracecat -q - |run.db"
	"kstats top --help"
	"tracemerge --schema"
	"tracecat --list-formats"
)

nth() {
	"${CC:-gcc}" -std=c11 -D_GNU_SOURCE -Wall -Wextra -O2 -fPIC "$@" "$ROOT/tests/fault/nth_call.c" 2>cc.err ||
		bad "$(<cc.err)"
}
nth -shared -o nth.so
printf '%s\n' "${commands[@]}" >commands
python3 -B "$ROOT/tests/fault/each.py" --preload "$PWD/nth.so" --effort "${EFFORT:-100}" commands || bad "see above"

# The sanitized tools with the same calls built in.
for build in $BUILDS; do
	if [ -x "$build/faulty/kstats" ]; then
		python3 -B "$ROOT/tests/fault/each.py" --tools "$build/faulty" --effort "$(((${EFFORT:-100} + 11) / 12))" commands ||
			bad "$build: see above"
	fi
done
finish
