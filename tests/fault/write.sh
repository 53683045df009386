#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Writes that take little, are interrupted, or find no room: the whole answer, or status 2, the
# reason, and no half file.
set -u
# shellcheck disable=SC1091
. "$ROOT/tests/fault/common.bash"

mkdir out
top=(kstats top -f csv "$TRACE")
"${top[@]}" >right || exit 1
size=$(stat -c %s right)

for setting in FAULT_WRITE_MOST=1 FAULT_WRITE_EINTR=1; do
	env LD_PRELOAD="$FAULT" "$setting" "${top[@]}" >got 2>err || bad "$setting: status $?"
	cmp -s got right || bad "$setting: other output"
	env LD_PRELOAD="$FAULT" "$setting" "${top[@]}" -o out/file 2>>err || bad "$setting -o: status $?"
	cmp -s out/file right || bad "$setting -o: other output"
	if [ -s err ]; then
		bad "$setting: $(head -n 1 err)"
	fi
	rm -f out/file
done

# $1 bytes of room, $2 the old file or nothing.
no_room() {
	local status
	rm -f out/*
	if [ -n "$2" ]; then
		cp "$2" out/file
	fi
	LD_PRELOAD=$FAULT FAULT_WRITE_FULL=$1 "${top[@]}" -o out/file 2>err
	status=$?
	if [ "$status" -ne 2 ] || [ "$(<err)" != 'kstats: error: out/file: cannot write: No space left on device' ]; then
		bad "-o with room for $1: status $status ($(head -n 1 err))"
	fi
	if [ "$(ls out)" != "${2:+file}" ]; then
		bad "-o with room for $1 leaves $(ls out)"
	elif [ -n "$2" ] && ! cmp -s out/file "$2"; then
		bad "-o with room for $1 spoils the old file"
	fi
}

echo old >old
for ((k = 0; k < size; k += 40)); do
	LD_PRELOAD=$FAULT FAULT_WRITE_FULL=$k "${top[@]}" >got 2>err
	status=$?
	if [ "$status" -ne 2 ] || [ "$(<err)" != 'kstats: error: <stdout>: cannot write: No space left on device' ]; then
		bad "stdout with room for $k: status $status ($(head -n 1 err))"
	fi
	no_room "$k" ''
	no_room "$k" old
done
for command in 'kstats --help' 'kstats --version' 'kstats --list-formats' 'kstats --completion bash'; do
	read -r -a words <<<"$command"
	LD_PRELOAD=$FAULT FAULT_WRITE_FULL=5 "${words[@]}" >got 2>err
	status=$?
	if [ "$status" -ne 2 ] || [ "$(<err)" != 'kstats: error: <stdout>: cannot write: No space left on device' ]; then
		bad "$command with room for 5: status $status ($(head -n 1 err))"
	fi
done
finish
