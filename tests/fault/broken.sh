#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One file of what was asked about cannot be opened, or not read, or a single read of it fails:
# status 2 and a word of it, or the very answer that there is when all can be read.
set -u
# shellcheck disable=SC1091
. "$ROOT/tests/fault/common.bash"
# shellcheck disable=SC1091
. "$ROOT/tests/fault/commands.bash"
step=$(sparse 1)
turn=0
# SQLite has words of its own; a page that did not come is a damaged one to it.
unreadable='Input/output error\|disk I/O error\|database disk image is malformed'

# $1 what is said of it, $2 setting, then the command.  Status 1: it made no difference at all.
try() {
	local word=$1 setting=$2 status
	shift 2
	faulty "$setting" -- "$@"
	status=$?
	if [ "$status" -eq "$right" ] && alike out right.out; then
		alike err right.err && return 1
	elif [ "$status" -ne 2 ]; then
		bad "$setting: status $status and another answer: $*"
	elif ! grep -q "$word" err; then
		bad "$setting: not said: $* ($(head -n 1 err))"
	fi
}

# shellcheck disable=SC2154
for line in "${commands[@]}"; do
	read -r -a command <<<"$line"
	"${command[@]}" >right.out 2>right.err
	right=$?
	for operand in "${command[@]}"; do
		operand=${operand#[0-9]=}
		[ -e "$operand" ] || continue
		while read -r file; do
			turn=$((turn + 1))
			[ $((turn % step)) -eq 0 ] || continue
			file=$(realpath "$file")
			try "$unreadable" FAULT_READ_FILE="$file" "${command[@]}"
			try 'Permission denied\|unable to open' FAULT_OPEN_FILE="$file" "${command[@]}"
		done < <(find "$operand" -type f)
	done
	# Reads come in one order: behind the last of them nothing fails.
	for ((k = 1, same = 0; same < 3 && k < 400; k++)); do
		turn=$((turn + 1))
		[ $((turn % step)) -eq 0 ] || continue
		if try "$unreadable" FAULT_READ_NTH="$k" "${command[@]}"; then
			same=0
		else
			same=$((same + 1))
		fi
	done
done
finish
