#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A database that cannot be finished: no room, no memory, a signal.  Status and a word say so; neither
# half a database nor a temporary file stays, and what was there before is as it was.
set -u
# shellcheck disable=SC1091
. "$ROOT/tests/fault/common.bash"

mkdir out tmp
export TMPDIR=$PWD/tmp
ranks=("$DATA/ranks")
merge=(tracemerge -q -j 1)
"${merge[@]}" -o right "${ranks[@]}" || exit 1

# Nothing but out/$2, or nothing, is there after $1.
clean() {
	local there
	there=$(find out tmp -mindepth 1 -printf '%p ')
	if [ "$there" != "${2:+out/$2 }" ]; then
		bad "$1: left behind: $there"
	fi
	rm -f out/* tmp/*
}

# ---- the same database where writes are cut short or interrupted ----

for setting in FAULT_WRITE_MOST=1000 FAULT_WRITE_EINTR=1 FAULT_READ_MOST=7; do
	env LD_PRELOAD="$FAULT" "$setting" "${merge[@]}" -o out/db "${ranks[@]}" 2>err || bad "$setting: status $?"
	cmp -s out/db right || bad "$setting: another database"
	rm -f out/db
	env LD_PRELOAD="$FAULT" "$setting" "${merge[@]}" "${ranks[@]}" 2>>err | cat >out/db
	cmp -s out/db right || bad "$setting: another database through a pipe"
	clean "$setting" db
done

# ---- no room ----

# Room for $1 bytes.
no_room() {
	local status
	LD_PRELOAD=$FAULT FAULT_WRITE_FULL=$1 "${merge[@]}" -o out/db "${ranks[@]}" 2>err
	status=$?
	if [ "$status" -ne 2 ] || ! grep -q 'cannot write the database: no space left' err; then
		bad "-o with room for $1: status $status ($(head -n 1 err))"
	fi
	clean "-o with room for $1"
	echo old >out/db
	LD_PRELOAD=$FAULT FAULT_WRITE_FULL=$1 "${merge[@]}" -o out/db "${ranks[@]}" 2>err
	if [ "$(<out/db)" != old ]; then
		bad "-o with room for $1 spoils the old file"
	fi
	clean "-o over a file with room for $1" db
	LD_PRELOAD=$FAULT FAULT_WRITE_FULL=$1 "${merge[@]}" "${ranks[@]}" 2>err >out/db
	status=$?
	if [ "$status" -ne 2 ] || [ -s out/db ]; then
		bad "into a file with room for $1: status $status, $(stat -c %s out/db) bytes stay"
	fi
	clean "into a file with room for $1" db
	LD_PRELOAD=$FAULT FAULT_WRITE_FULL=$1 "${merge[@]}" "${ranks[@]}" 2>err | cat >got
	if [ "${PIPESTATUS[0]}" -ne 2 ] || [ -s got ] || ! grep -q 'no space left' err; then
		bad "into a pipe with room for $1: status ${PIPESTATUS[0]}, $(stat -c %s got) bytes come ($(head -n 1 err))"
	fi
	clean "into a pipe with room for $1"
}

size=$(stat -c %s right)
for ((k = 0; k < size; k += size / 14)); do
	no_room "$k"
done
# The database fits, and then its copy does not.
"${merge[@]}" "${ranks[@]}" 2>err >/dev/full
if [ $? -ne 2 ] || ! grep -qi 'no space left' err; then
	bad "/dev/full: $(head -n 1 err)"
fi
clean /dev/full
"${merge[@]}" -o /dev/full "${ranks[@]}" 2>err
if [ $? -ne 2 ] || ! grep -qi 'no space left' err; then
	bad "-o /dev/full: $(head -n 1 err)"
fi
clean '-o /dev/full'
"${merge[@]}" -o out/no/such "${ranks[@]}" 2>err
if [ $? -ne 2 ] || ! grep -q 'out/no/such: cannot write' err; then
	bad "no such directory: $(head -n 1 err)"
fi
clean 'no such directory'

# ---- no memory: said, or done without; an input that fell to it is one that cannot be read, and what
# ---- could be is in a whole database

# A database, and one of the traces that are in it.
cp right out/before
again=("${merge[@]}" -o out/db out/before "${ranks[0]}/rank0")
LD_PRELOAD=$FAULT FAULT_COUNT=count "${again[@]}" 2>err
mv out/db again
all=$(<count)
if [ "$all" -lt 100 ] || [ "$(sqlite3 again 'SELECT sum(events) FROM input')" != 10 ]; then
	bad "merging again: $all allocations seen, $(head -n 1 err)"
fi
for ((n = 1; n <= all; n += $(sparse "$((1 + all / 300))"))); do
	for how in '' 1; do
		[ -z "$how" ] || ((n % 5 == 1)) || continue
		timeout -s KILL 20 env LD_PRELOAD="$FAULT" FAULT_ALLOC="$n" FAULT_ALLOC_ALL="$how" \
			"${again[@]}" 2>err
		status=$?
		if [ "$status" -eq 0 ]; then
			cmp -s out/db again || bad "allocation $n fails $how: status 0, another database"
			rm -f out/db
		elif [ "$status" -ne 2 ] || ! grep -qiE 'out of memory|cannot allocate memory' err; then
			bad "allocation $n fails $how: status $status ($(head -n 1 err))"
		elif [ -e out/db ]; then
			if [ "$(sqlite3 out/db 'PRAGMA integrity_check')" != ok ]; then
				bad "allocation $n fails $how: half a database"
			fi
			rm -f out/db
		fi
		cp -p out/before keep
		clean "allocation $n fails $how" before
		mv keep out/before
	done
done
rm -f out/before

# ---- a signal, while it reads and while it writes ----

large_trace large.csv 400000
echo old >keep
# $1 signal, $2 seconds, $3 status; the rest is the command
stopped() {
	local signal=$1 after=$2 want=$3 status
	shift 3
	timeout -s "$signal" -k 10 "$after" "$@" 2>err
	status=$?
	# Quicker than that, or at its end when the signal came: fine, but then it is finished.  On a busy machine
	# the signal can come before the program begins: what was there stays.
	if [ "$status" -eq 0 ] || { [ "$status" -eq "$want" ] && [ ! -s err ]; }; then
		[ ! -e out/db ] || [ "$(head -c 15 out/db)" = 'SQLite format 3' ] || cmp -s out/db keep ||
			bad "SIG$signal after $after s: half a database"
		rm -f out/db
		return
	fi
	if ! grep -q 'tracemerge: error: interrupted; nothing was written' err; then
		bad "SIG$signal after $after s: not said ($(head -n 1 err))"
	fi
	if [ "$status" -ne "$want" ]; then
		bad "SIG$signal after $after s: status $status, not $want"
	fi
}
for signal in INT TERM HUP; do
	for after in 0.05 0.1 0.2 0.3 0.5; do
		stopped $signal $after 124 tracemerge -q -o out/db large.csv
		clean "SIG$signal after $after s"
		cp keep out/db
		stopped $signal $after 124 tracemerge -q -o out/db large.csv
		[ ! -e out/db ] || cmp -s out/db keep || bad "SIG$signal after $after s spoils the old file"
		rm -f out/db
		clean "SIG$signal after $after s over a file"
	done
done
# Held up for certain: one that waits for its input.
mkfifo pipe
for signal in INT TERM HUP; do
	(head -n 2 "$TRACE"; sleep 1.5) >pipe &
	writer=$!
	timeout -s $signal -k 10 0.7 tracemerge -o out/db - <pipe 2>err
	status=$?
	wait "$writer"
	if [ "$status" -ne 124 ] || [ "$(<err)" != 'tracemerge: error: interrupted; nothing was written' ]; then
		bad "SIG$signal while it waits: status $status, '$(<err)'"
	fi
	clean "SIG$signal while it waits"
	(head -n 2 "$TRACE"; sleep 1.5) >pipe &
	writer=$!
	timeout -s $signal -k 10 0.7 tracemerge - <pipe 2>err | cat >got
	wait "$writer"
	[ ! -s got ] || bad "SIG$signal while it waits: bytes in the pipe"
	clean "SIG$signal while it waits, into a pipe"
done
# Not even killed: the copy of a database that comes through a pipe has no name.
(cat right; sleep 1.5) >pipe &
writer=$!
timeout -s KILL 0.7 kstats top - <pipe 2>err
wait "$writer"
clean 'SIGKILL while a database is copied'
finish
