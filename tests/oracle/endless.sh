#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Memory does not grow with a trace: the peak of kstats top over a stream, in each format that is read as
# one, over databases, over a run.db where its events are asked for, and of the tracemerge that writes it
# (without indexes, which SQLite sorts), less that over a quarter of it.  Every row is there again and again, so that there is nothing new to keep.
# BYTES=20000000000 reads 20 GB of each, one after the other, and says what each cost: 22 GB in TMPDIR.
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
	echo "a sanitized build: its memory says nothing"
	exit 0
fi
if ! "${CC:-cc}" -std=gnu11 -O2 -D_GNU_SOURCE -o "$work/measure" "$root/tests/bench/measure.c"; then
	echo "not run: no compiler for what measures"
	exit 77
fi

# ask FILE [OPTION...]: "cpu_us wall_us KiB", the last without rounding to large pages
ask() {
	local file=$1

	shift
	"$work/measure" -p -o "$work/said" "$build/kstats" top -q -j 1 -f csv --domain all "$@" "$file" 2>"$work/err"
}

# cost NAME BYTES: the same of what is called that.  Tables of tracecat are read twice, or kept aside where they come
# through a pipe.
cost() {
	rm -f "$work/file"
	case $1 in
	tracecat_*)
		python3 "$here/endless.py" "$1" "$2" >"$work/file" && ask "$work/file"
		;;
	tracemerge)
		python3 "$here/endless.py" rocprofv3_csv $(($2 * 7 / 6)) |
			"$work/measure" -p "$build/tracemerge" -q -j 1 --no-index -o "$work/run.db" - 2>"$work/err"
		;;
	run_db) # what tracemerge wrote
		ask "$work/run.db" --per queue
		;;
	rocpd | rpd | rocprofv1_db)
		python3 -B "$here/endless.py" "$1" "$2" "$work/file" && ask "$work/file"
		;;
	*)
		python3 "$here/endless.py" "$1" "$2" | ask -
		;;
	esac
}

bad=0
ran=0

# judge NAME SMALL LARGE: both as cost says them
judge() {
	local from=${2##* } to=${3##* } cpu=${3%% *}

	ran=$((ran + 1))
	if [ -z "$2" ] || [ -z "$3" ] || [ ! -s "$work/said" ]; then
		echo "$1: no answer: $(head -n 3 "$work/err")"
		bad=$((bad + 1))
	elif [ $((to - from)) -gt $slack ]; then
		echo "$1: $from KiB for $least bytes, $to KiB for $bytes"
		bad=$((bad + 1))
	elif [ "${BYTES:-}" ]; then
		echo "$1: $from KiB for $least bytes, $to KiB and $((cpu / 1000)) ms of CPU for $bytes"
	fi
}

for name in $(python3 "$here/endless.py" --list) $(python3 "$here/endless.py" --databases); do
	small=$(cost "$name" "$least")
	judge "$name" "$small" "$(cost "$name" "$bytes")"
done
rm -f "$work/file"
small=$(cost tracemerge "$least")
asked=$(cost run_db "$least")
judge tracemerge "$small" "$(cost tracemerge "$bytes")"
judge run_db "$asked" "$(cost run_db "$bytes")"
echo "$ran formats, $bad grow"
[ "$bad" -eq 0 ]
