#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Reads that give little, are interrupted, or fail: the same answer, or the answer of what came
# before the fault and status 2.
set -u
# shellcheck disable=SC1091
. "$ROOT/tests/fault/common.bash"

gzip -nc "$TRACE" >trace.gz
zstd -q -c "$TRACE" >trace.zst
xz -c "$TRACE" >trace.xz
tar -cf run.tar -C "$DATA" run
tar -czf run.tar.gz -C "$DATA" run
(cd "$DATA" && zip -qr - run) >run.zip
top=(kstats top -f csv)

# $1... environment, then -- and the command: the same bytes as without.
same() {
	local setting=()
	while [ "$1" != -- ]; do
		setting+=("$1")
		shift
	done
	shift
	"$@" >right 2>right.err
	timeout -s KILL 60 env LD_PRELOAD="$FAULT" "${setting[@]}" "$@" >out 2>err
	local status=$?
	if [ "$status" -ne 0 ] || ! cmp -s out right || ! cmp -s err right.err; then
		bad "${setting[*]}: status $status, other output: $* ($(head -n 1 err))"
	fi
}

for file in "$TRACE" "$STATS" trace.gz trace.zst trace.xz run.tar run.tar.gz run.zip \
	"$TESTDATA/rocprofv2/6.1/cli/kernels.txt" "$DATA/run/app_agent_info.csv $TRACE"; do
	read -r -a files <<<"$file"
	same FAULT_READ_MOST=1 -- "${top[@]}" "${files[@]}"
	same FAULT_READ_MOST=7 FAULT_READ_EINTR=1 -- "${top[@]}" "${files[@]}"
done

# Bytes from $1 on cannot be read: what is left of the file is its whole lines before that.
size=$(stat -c %s "$TRACE")
for ((k = 0; k < size; k += 61)); do
	timeout -s KILL 20 env LD_PRELOAD="$FAULT" FAULT_READ_EIO="$k" "${top[@]}" "$TRACE" >out 2>err
	status=$?
	head -c "$k" "$TRACE" | awk '{ if (n) print last; last = $0; n++ }' >whole
	if [ "$(head -c "$k" "$TRACE" | tail -c 1 | od -An -tx1)" = ' 0a' ]; then
		head -c "$k" "$TRACE" >whole
	fi
	"${top[@]}" whole >right 2>/dev/null
	if [ "$status" -ne 2 ] || ! cmp -s out right; then
		bad "no byte after $k: status $status, or not what came before"
	elif ! grep -q 'Input/output error' err; then
		bad "no byte after $k: not said ($(head -n 1 err))"
	fi
done
for file in trace.gz trace.zst trace.xz run.tar run.tar.gz run.zip; do
	size=$(stat -c %s "$file")
	for ((k = 0; k < size; k += size / 9 + 1)); do
		timeout -s KILL 20 env LD_PRELOAD="$FAULT" FAULT_READ_EIO="$k" "${top[@]}" "$file" >out 2>err
		status=$?
		if [ "$status" -ne 2 ] || ! grep -q 'Input/output error' err; then
			bad "$file: no byte after $k: status $status ($(head -n 1 err))"
		fi
	done
done

# The same where a file is read in parts by several threads.
large_trace large.csv 800000
same FAULT_READ_MOST=65521 FAULT_READ_EINTR=1 -- "${top[@]}" -j 3 large.csv
# The header has 108 bytes; 500000 whole rows of 100 come before the fault, and half of one.
columns=(--columns calls -s name)
LD_PRELOAD=$FAULT FAULT_READ_EIO=50000158 "${top[@]}" "${columns[@]}" -j 3 large.csv >out 2>err
status=$?
printf 'calls\n62500\n62500\n62500\n62500\n62500\n62500\n62500\n62500\n' >right
if [ "$status" -ne 2 ] || ! cmp -s out right || ! grep -q 'Input/output error' err; then
	bad "large file, no byte after 50000158: status $status"
	cat out err
fi
finish
