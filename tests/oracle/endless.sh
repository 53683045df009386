#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Memory does not grow with a trace: the peak of kstats top over a stream, in each format that is read as
# one, less that over a quarter of it.  Every row is there again and again, so that there is nothing new
# to keep.  BYTES=20000000000 reads 20 GB of each.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${BUILD:-$root/build/bin}
export TESTDATA=${TESTDATA:-$root/testdata}
bytes=${BYTES:-48000000}
least=$((bytes / 4 < 12000000 ? bytes / 4 : 12000000))
slack=1536 # KiB: pages of the heap and of the kernel's buffers
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

if grep -qaE '__[atm]san_init' "$build/kstats"; then
	echo "a sanitised build: its memory says nothing"
	exit 0
fi
if ! "${CC:-cc}" -std=gnu11 -O2 -D_GNU_SOURCE -o "$work/measure" "$root/tests/bench/measure.c"; then
	echo "not run: no compiler for what measures"
	exit 77
fi

# peak FORMAT BYTES: KiB.  Tables of tracecat are read twice, or kept aside where they come through a pipe.
peak() {
	if [[ $1 = tracecat_* ]]; then
		python3 "$here/endless.py" "$1" "$2" >"$work/file" || return
		"$work/measure" -o "$work/said" "$build/kstats" top -q -j 1 -f csv --domain all "$work/file" 2>"$work/err" |
			cut -d' ' -f3
		return
	fi
	python3 "$here/endless.py" "$1" "$2" |
		"$work/measure" -o "$work/said" "$build/kstats" top -q -j 1 -f csv --domain all - 2>"$work/err" |
		cut -d' ' -f3
}

bad=0
ran=0
for format in $(python3 "$here/endless.py" --list); do
	small=$(peak "$format" "$least")
	large=$(peak "$format" "$bytes")
	ran=$((ran + 1))
	if [ -z "$small" ] || [ -z "$large" ] || [ ! -s "$work/said" ]; then
		echo "$format: no answer: $(head -n 3 "$work/err")"
		bad=$((bad + 1))
	elif [ $((large - small)) -gt $slack ]; then
		echo "$format: $small KiB for $least bytes, $large KiB for $bytes"
		bad=$((bad + 1))
	elif [ "${BYTES:-}" ]; then
		echo "$format: $small KiB for $least bytes, $large KiB for $bytes"
	fi
done
echo "$ran formats, $bad grow"
[ "$bad" -eq 0 ]
