#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The key of the hash tables is drawn at random, and nothing that is printed depends on it: every command
# gives the same bytes on both outputs and the same status whatever the key is.  With keys of
# nothing but zeros all of a table meets in one slot; and where the system has no random bytes, a key
# is made up.
#   seeds.sh [N]     so many seeds beside those two (default: 3, 1 of a sample)
set -u
# shellcheck disable=SC1091
. "$ROOT/tests/fault/common.bash"
# shellcheck disable=SC1091
. "$ROOT/tests/fault/commands.bash"

# The fault is there: two processes with one seed draw the same, with two they do not.
cat >draw.c <<'END'
#include "base/hash.h"
#include <stdio.h>
int main(void) { printf("%llx\n", (unsigned long long)tm_hash_bytes(tm_hash_own(), "text", 4)); }
END
if "${CC:-gcc}" -D_GNU_SOURCE -I"$ROOT/libanalyze" -o draw draw.c "$ROOT/libanalyze/base/hash.c" -lpthread 2>cc.err; then
	for seed in 0 1 2 2 3 '' ''; do
		LD_PRELOAD=$FAULT FAULT_RANDOM=$seed ./draw
	done | tr '\n' ' ' >drawn
	read -r zero none two again three own other <drawn
	if [ "$zero" != 0 ] || [ "$two" != "$again" ]; then
		bad "random bytes do not repeat themselves: $(<drawn)"
	fi
	if [ "$(printf '%s\n' "$none" "$two" "$three" "$own" "$other" "$(LD_PRELOAD=$FAULT FAULT_RANDOM=1 ./draw)" |
		sort -u | wc -l)" -ne 6 ]; then
		bad "keys that should differ do not: $(<drawn)"
	fi
else
	bad "$(<cc.err)"
fi

seeds=${1:-$((effort < 100 ? 1 : 3))}
# shellcheck disable=SC2154
for line in "${commands[@]}"; do
	read -r -a words <<<"$line"
	"${words[@]}" >right 2>right.err
	want=$?
	for ((seed = 0; seed < 2 + seeds; seed++)); do
		# It knows a run again by a fingerprint, and with that key all are the same.
		if [ "$seed" -eq 0 ] && [[ ${words[0]} =~ ^trace(diff|check|report)$ ]]; then
			continue
		fi
		faulty FAULT_RANDOM=$seed -- "${words[@]}"
		status=$?
		if [ "$status" -ne "$want" ] || ! alike out right || ! alike err right.err; then
			bad "seed $seed: status $status, not $want, or other output: $line"
		fi
	done
done
finish
