#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Whatever keeps intervals keeps them in 16 bytes: the peak memory of every such sub-command over a large
# trace, less that over a tenth of it, by the rows there are more.  One byte and a constant are for what a
# heap and its threads need beside.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${BUILD:-$root/build/bin}
bytes=17
large=64000000
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

if grep -qaE '__[atm]san_init' "$build/kstats"; then
	echo "a sanitised build: its memory says nothing"
	exit 0
fi
if ! "${CC:-cc}" -std=gnu11 -O2 -D_GNU_SOURCE -o "$work/measure" "$root/tests/bench/measure.c" ||
	! "${CC:-cc}" -std=gnu11 -O2 -D_GNU_SOURCE -I"$root" -o "$work/gen_csv" "$root"/tests/gen/{gen_csv,model}.c; then
	echo "not run: no compiler for what makes and measures"
	exit 77
fi

# make_trace DIR BYTES: kernels, and the API calls that launched them.
make_trace() {
	mkdir "$work/$1" || exit 2
	"$work/gen_csv" --short "$2" >"$work/$1/1_kernel_trace.csv" || exit 2
	"$work/gen_csv" --short --kind hip "$2" >"$work/$1/1_hip_api_trace.csv" || exit 2
}

# cut_trace: the large one as four files of each, all of one rank.
cut_trace() {
	local file head lines

	mkdir "$work/parts" || exit 2
	for file in kernel hip_api; do
		lines=$(rows large $file)
		head=$(head -n 1 "$work/large/1_${file}_trace.csv")
		tail -n +2 "$work/large/1_${file}_trace.csv" |
			split -l $((lines / 4 + 1)) --additional-suffix=_${file}_trace.csv --filter="{ printf '%s\\n' '$head'; cat; } >\$FILE" - "$work/parts/"
	done
}

# rows DIR KIND
rows() {
	echo $(($(wc -l <"$work/$1/1_$2_trace.csv") - 1))
}

# peak ARG...: KiB; a sub-command with nothing to show has read all of it to know, so its 2 is no failure.
peak() {
	local cpu wall kib

	read -r cpu wall kib < <("$work/measure" -s 2 "$build/kstats" "$@" -q -f csv 2>/dev/null)
	: "$cpu" "$wall"
	echo "${kib:-0}"
}

failed=0

# judge NAME ROWS SLACK_KIB PEAK BASE
judge() {
	local most=$(($2 * bytes / 1024 + $3)) got=$(($4 - $5))

	if [ "$4" = 0 ] || [ "$5" = 0 ]; then
		echo "$1: could not be measured"
		failed=1
	elif [ $got -gt $most ]; then
		echo "$1: $got KiB more for $2 more intervals, at most $most were expected: $((got * 10240 / $2))/10 bytes each"
		failed=1
	fi
}

make_trace small $((large / 10))
make_trace large $large
cut_trace
kernels=$(($(rows large kernel) - $(rows small kernel)))
both=$((kernels + $(rows large hip_api) - $(rows small hip_api)))

while read -r kept words; do
	count=$both
	[ "$kept" = kernels ] && count=$kernels
	read -ra list <<<"$words"
	base=$(peak "${list[@]}" -j 1 "$work/small")
	judge "$words" "$count" 512 "$(peak "${list[@]}" -j 1 "$work/large")" "$base"
done <<'TABLE'
kernels classes
kernels gemm
kernels timeline
kernels copies
kernels gaps --hist
kernels sync --during idle
both gaps
both gaps --list -n 20
both launch
both launch --graphs
both regions
both summary
TABLE

# Read by two threads, and put together from several files.
inputs=()
for file in "$work"/parts/*.csv; do
	inputs+=("0=$file")
done
for words in gaps launch summary; do
	base=$(peak "$words" -j 2 "$work/small")
	judge "$words -j 2" "$both" 3072 "$(peak "$words" -j 2 "$work/large")" "$base"
	judge "$words -j 2, in parts" "$both" 3072 "$(peak "$words" -j 2 "${inputs[@]}")" "$base"
done

[ $failed = 0 ] && echo "$both intervals: at most $bytes bytes each"
exit $failed
