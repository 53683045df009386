#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tracemerge killed at any moment (SIGKILL): what it was writing is never taken for a whole database, an older
# one stays, and the next run completes it.  Moments: every write, half of which is done, and times at random.
set -u
# shellcheck disable=SC1091
. "$ROOT/tests/fault/common.bash"

mkdir out
large_trace large_kernel_trace.csv 20000
trace=large_kernel_trace.csv
killed=0 moments=0 RANDOM=19

# Are there half files in out/ that a tool reads, or one called db that is neither $2 nor whole?
look() { # what, the older database or nothing, the right one
	local f
	for f in out/*; do
		if [ ! -e "$f" ]; then
			continue
		elif cmp -s "$f" "$3"; then
			[ "$f" = out/db ] || [ "${f#out/db.tmp-}" != "$f" ] || bad "$1: $f"
		elif [ "$f" = out/db ] && [ -n "$2" ]; then
			cmp -s "$f" "$2" || bad "$1: the older database is spoilt"
		else
			kstats top -q "$f" >got 2>err
			if [ $? -ne 2 ] || [ -s got ]; then
				bad "$1: $f is read: $(head -n 2 got)"
			fi
			tracemerge -q -o again "$f" 2>err
			if [ $? -ne 2 ] || [ -e again ]; then
				bad "$1: $f is merged"
			fi
			rm -f again
		fi
	done
}

# What `merge` leaves when it is stopped as the arguments say, and what the next run makes of it.
moment() { # what, older database or nothing, how it is run: a word, before the command
	local what=$1 old=$2 how=$3 status
	shift 3
	rm -f out/*
	[ -z "$old" ] || cp "$old" out/db
	if [ "$how" = file ]; then
		"$@" "${merge[@]}" -o out/db "$trace" 2>err
		status=$?
	else
		"$@" "${merge[@]}" "$trace" >out/db 2>err
		status=$?
	fi 2>/dev/null
	moments=$((moments + 1))
	[ $status -ne 137 ] || killed=$((killed + 1))
	look "$what" "$old" right
	[ "$how" = file ] || rm -f out/db
	"${merge[@]}" -o out/db "$trace" 2>err || bad "$what: the next run: $(head -n 1 err)"
	cmp -s out/db right || bad "$what: the next run makes another database"
	return $status
}

echo older >text
tracemerge -q -o older "$STATS" || exit 1
for options in '' --stats-only; do
	# shellcheck disable=SC2206 # an option or none
	merge=(tracemerge -q -j 1 $options)
	"${merge[@]}" -o right "$trace" || exit 1
	for how in file stdout; do
		step=$(sparse 1) n=1
		while moment "write $n of '$options' to $how" '' "$how" env LD_PRELOAD="$FAULT" FAULT_WRITE_KILL="$n"; [ $? -eq 137 ]; do
			n=$((n + step))
		done
	done
	moment "write 3 over a database" older file env LD_PRELOAD="$FAULT" FAULT_WRITE_KILL=3
	moment "write 9 over a text" text file env LD_PRELOAD="$FAULT" FAULT_WRITE_KILL=9
	for ((k = 0; k < 100; k += $(sparse 1))); do
		moment "at random" '' file timeout -s KILL "$(printf 0.%03d $((RANDOM % 40 + 2)))"
	done
done
echo "$moments moments, $killed of them killed it"
[ $killed -gt 0 ] || bad "nothing was killed"
finish
