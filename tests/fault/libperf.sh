#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Logs that come in pieces, and logs whose bytes cannot be read from some byte on: the same calls, or those
# of the lines before the fault and status 2.
set -u
# shellcheck disable=SC1091
. "$ROOT/tests/fault/common.bash"

log=$TESTDATA/madengine/2.0/logs/node0.log
trace=(libperf trace -f csv)
gzip -nc "$log" >log.gz

for file in "$log" log.gz; do
	"${trace[@]}" "$file" >right 2>right.err
	for setting in FAULT_READ_MOST=1 'FAULT_READ_MOST=7 FAULT_READ_EINTR=1'; do
		# shellcheck disable=SC2086 # one or two words
		timeout -s KILL 60 env LD_PRELOAD="$FAULT" $setting "${trace[@]}" "$file" >out 2>err
		status=$?
		if [ "$status" -ne 0 ] || ! cmp -s out right || ! cmp -s err right.err; then
			bad "$setting: status $status, other output of $file ($(head -n 1 err))"
		fi
	done
done

size=$(stat -c %s "$log")
for ((k = 0; k < size; k += 67)); do
	timeout -s KILL 20 env LD_PRELOAD="$FAULT" FAULT_READ_EIO="$k" "${trace[@]}" "$log" >out 2>err
	status=$?
	# What ends with LF or CR.
	head -c "$k" "$log" | tr '\r' '\n' | awk '{ if (n) print last; last = $0; n++ }' >whole
	case $(head -c "$k" "$log" | tail -c 1 | od -An -tx1) in
	' 0a' | ' 0d') head -c "$k" "$log" >whole ;;
	esac
	"${trace[@]}" whole >right 2>/dev/null
	if [ "$status" -ne 2 ] || ! cmp -s out right; then
		bad "no byte after $k: status $status, or not the calls that came before"
	elif ! grep -q 'Input/output error' err; then
		bad "no byte after $k: not said ($(head -n 1 err))"
	fi
done
finish
