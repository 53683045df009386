#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every prefix of a small trace, plain and packed: status 0 or 2, never a crash.  Of the plain one
# status 0 means that it ends with a row, and only then.
set -u
# shellcheck disable=SC1091
. "$ROOT/tests/fault/common.bash"

gzip -nc "$TRACE" >trace.gz
zstd -q -c "$TRACE" >trace.zst
tar -czf run.tar.gz -C "$DATA" ranks
tar -cf run.tar -C "$DATA" ranks
(cd "$DATA" && zip -qr - ranks) >run.zip

# One rule: the built-in classes are most of what such a short run does.
printf 'gemm\tgemm\n' >rules.tsv

# Byte offsets behind whole rows; without its newline the last one does not count, which leaves those before it.
ends=" $(awk '{ at += length($0) + 1; if (NR > 2) printf "%d ", at - 1; if (NR > 1) printf "%d ", at }' "$TRACE")"

# Every $3-th prefix of $1, in directory $2.
prefixes() {
	local file=$1 work=$2 step n size status want
	step=$(sparse "$3")
	mkdir "$work" || exit 1
	size=$(stat -c %s "$file")
	for ((n = size - 1; n >= 0; n -= step)); do
		head -c "$n" "$file" >"$work/part"
		timeout -s KILL 20 kstats top -j 1 -f csv --classes rules.tsv "$work/part" >"$work/out" 2>"$work/err"
		status=$?
		want='0 2'
		if [ "$file" = "$TRACE" ]; then
			want=2
			[[ $ends != *" $n "* ]] || want=0
		fi
		if [[ " $want " != *" $status "* ]]; then
			echo "$n bytes of $file: status $status, not $want ($(head -n 1 "$work/err"))"
		elif [ "$status" -eq 2 ] && [ ! -s "$work/err" ]; then
			echo "$n bytes of $file: status 2 and no word"
		fi
	done >"$work/bad"
}

# Of a table of readings the same: 0 behind the header, and where a row looks whole.
readings() {
	local file=$TESTDATA/madengine/2.0/power/gpu_info_power_profiler_output.csv n size status want
	mkdir power || exit 1
	size=$(stat -c %s "$file")
	for ((n = size - 1; n >= 0; n -= $(sparse 1))); do
		head -c "$n" "$file" >power/part
		timeout -s KILL 20 powerstats -f csv power/part >power/out 2>power/err
		status=$?
		# A header, and a row of three cells whose first is a whole time.
		want=2
		# Without its newline the row does not count: there must be another.
		if { [ -z "$(tail -c 1 power/part | tr -d '\r')" ] || [ "$(wc -l <power/part)" -gt 1 ]; } &&
			[ "$(tail -n 1 power/part | grep -cE '^[-0-9]{10} [0-9:]{8}(\.[0-9]+)?,[^,]*,[^,]*$')" -eq 1 ]; then
			want=0
		fi
		if [ "$status" -ne "$want" ]; then
			echo "$n bytes of $file: status $status, not $want ($(head -n 1 power/err))"
		elif [ "$status" -eq 2 ] && [ ! -s power/err ]; then
			echo "$n bytes of $file: status 2 and no word"
		fi
	done >power/bad
}

readings &
prefixes "$TRACE" csv 1 &
prefixes trace.gz gz 1 &
prefixes trace.zst zst 3 &
prefixes run.tar.gz targz 11 &
prefixes run.tar tar 97 &
prefixes run.zip zip 13 &
wait
for f in power csv gz zst targz tar zip; do
	while IFS= read -r line; do
		bad "$line"
	done <"$f/bad"
done
finish
