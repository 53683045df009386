#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Whatever keeps intervals keeps them in 16 bytes: the peak memory of every such sub-command over a large
# trace, less that over a tenth of it, by the rows there are more.  One byte and a constant are for what a
# heap and its threads need beside.  The kernel gives no large pages here, to which all would be rounded up.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${BUILD:-$root/build/bin}
bytes=17
# KiB: the kernel counts pages in batches, on each core by itself.  A byte more for each interval would be as much.
slack=1024
large=64000000
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

if grep -qaE '__[atm]san_init' "$build/kstats"; then
	echo "a sanitized build: its memory says nothing"
	exit 0
fi
if ! "${CC:-cc}" -std=gnu11 -O2 -D_GNU_SOURCE -o "$work/measure" "$root/tests/bench/measure.c" ||
	! "${CC:-cc}" -std=gnu11 -O2 -D_GNU_SOURCE -I"$root" -o "$work/gen_csv" "$root"/tests/gen/{gen_csv,model}.c; then
	echo "not run: no compiler for what makes and measures"
	exit 77
fi

# make_trace DIR BYTES QUEUES: kernels, and the API calls that launched them.
make_trace() {
	mkdir "$work/$1" || exit 2
	"$work/gen_csv" --short --queues "$3" "$2" >"$work/$1/1_kernel_trace.csv" || exit 2
	"$work/gen_csv" --short --queues "$3" --kind hip "$2" >"$work/$1/1_hip_api_trace.csv" || exit 2
}

# make_markers DIR RANGES: of two threads, eight deep one inside the other, over and over.
make_markers() {
	awk -v n="$2" 'BEGIN {
		print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp"
		for (i = 0; i < n; i++) {
			at = 1000000000 + int(i / 16) * 1000
			deep = int(i / 2) % 8
			printf "MARKER_CORE_API,layer%d,1,%d,%d,%d,%d\n", deep, 7 + i % 2, i, at + 10 * deep, at + 990 - 10 * deep
		}
	}' >"$work/$1/1_marker_api_trace.csv"
}

# make_waits DIR KERNELS: each is launched and waited for.
make_waits() {
	mkdir "$work/$1" || exit 2
	awk -v n="$2" -v kernels="$work/$1/1_kernel_trace.csv" 'BEGIN {
		print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernels
		print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp"
		for (i = 0; i < n; i++) {
			at = 1000000000 + i * 10000
			printf "KERNEL_DISPATCH,1,1,k%d,%d,%d,%d\n", i % 7, 2 * i + 1, at + 1000, at + 3000 >kernels
			printf "HIP_RUNTIME_API,hipLaunchKernel,7,7,%d,%d,%d\n", 2 * i + 1, at, at + 500
			printf "HIP_RUNTIME_API,hipStreamSynchronize,7,7,%d,%d,%d\n", 2 * i + 2, at + 600, at + 3500
		}
	}' >"$work/$1/1_hip_api_trace.csv"
}

# make_kineto DIR TRIPLES: an operator of one of two threads, its launch, the kernel.
make_kineto() {
	mkdir "$work/$1" || exit 2
	awk -v n="$2" 'BEGIN {
		print "{\"schemaVersion\":1,\"roctracer_version\":4.1,\"traceEvents\":["
		for (i = 1; i <= n; i++) {
			at = 1000000 + i * 10
			tid = 71 + i % 2
			printf "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":70,\"tid\":%d,\"ts\":%d,\"dur\":8,\"args\":" \
			       "{\"External id\":%d,\"Sequence number\":%d%s}},\n", tid, at, i, (i + 1) / 2,
			       i % 2 ? "" : ",\"Fwd thread id\":1"
			printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"hipLaunchKernel\",\"pid\":70,\"tid\":%d,\"ts\":%d,\"dur\":2," \
			       "\"args\":{\"External id\":%d,\"correlation\":%d}},\n", tid, at + 3, i, i
			printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k%d\",\"pid\":2,\"tid\":1,\"ts\":%d,\"dur\":6,\"args\":{\"External id\":%d," \
			       "\"device\":2,\"stream\":1,\"correlation\":%d}},\n", i % 7, at + 5, i, i
		}
		print "{\"ph\":\"i\",\"name\":\"end\",\"ts\":1,\"pid\":70,\"tid\":71}]}"
	}' >"$work/$1/trace.json"
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

	read -r cpu wall kib < <("$work/measure" -p -s 2 "$build/kstats" "$@" -q -f csv 2>/dev/null)
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

make_trace small $((large / 10)) 3
make_trace large $large 3
make_trace small_lone $((large / 10)) 1
make_trace large_lone $large 1
mkdir "$work/few" "$work/many" "$work/few_calls" "$work/many_calls" || exit 2
make_markers few 100000
make_markers many 1000000
for n in few many; do
	ln "$work/small/1_kernel_trace.csv" "$work/${n}/1_kernel_trace.csv"
	ln "$work"/small/*.csv "$work/$n/1_marker_api_trace.csv" "$work/${n}_calls"
done
cut_trace
declare -A more
for q in "" _lone; do
	kernels=$(($(rows "large$q" kernel) - $(rows "small$q" kernel)))
	calls=$(($(rows "large$q" hip_api) - $(rows "small$q" hip_api)))
	more[kernels$q]=$kernels
	more[both$q]=$((kernels + calls))
done

# On several queues, where kernels overlap, and on one, where each stands alone.
while read -r kept words; do
	read -ra list <<<"$words"
	for q in "" _lone; do
		base=$(peak "${list[@]}" -j 1 "$work/small$q")
		judge "$words$q" "${more[$kept$q]}" $slack "$(peak "${list[@]}" -j 1 "$work/large$q")" "$base"
	done
done <<'TABLE'
kernels classes
kernels gemm
kernels timeline
kernels copies
kernels gaps --hist
kernels sync --during idle
kernels regions --steps
both steps
both gaps
both gaps --list -n 20
both launch
both launch --graphs
both regions
both ops
kernels ranks
TABLE

# Marker ranges inside each other; who launched what is known from no call, or from most of them.  The percentiles
# over the occurrences of a region are exact: 28 bytes more for each, of one rank at a time.  Where no thread is known that
# launched the work, ranges of all threads are looked at together: 12 more.
for input in "" _calls; do
	bytes=$([ -n "$input" ] && echo 53 || echo 65)
	base=$(peak regions -j 1 "$work/few$input")
	judge "regions, markers$input" 900000 $slack "$(peak regions -j 1 "$work/many$input")" "$base"
done

bytes=17

# The host waits for every kernel.
make_waits brief 30000
make_waits long 330000
while read -r kept words; do
	read -ra list <<<"$words"
	base=$(peak "${list[@]}" -j 1 "$work/brief")
	judge "$words, waits" $((kept * 300000)) $slack "$(peak "${list[@]}" -j 1 "$work/long")" "$base"
done <<'TABLE'
3 gaps
3 gaps --list -n 20
2 sync --during idle
2 sync
2 ranks
TABLE

# An operator that kernels name costs 12 bytes more than 16, a kernel that names one 8; whole paths 20 for
# each operator with a sequence number.
make_kineto kineto_few 10000
make_kineto kineto_many 110000
while read -r bytes words; do
	read -ra list <<<"$words"
	base=$(peak "${list[@]}" -j 1 "$work/kineto_few")
	judge "$words, Kineto" $((3 * 100000)) $slack "$(peak "${list[@]}" -j 1 "$work/kineto_many")" "$base"
done <<'TABLE'
23 ops
23 ops --per shape
30 ops --paths
TABLE
bytes=17

# Read by two threads, and put together from several files: how much both hold at a time is the scheduler's choice, on a
# busy machine up to 1.5 MiB more than on an idle one.
inputs=()
for file in "$work"/parts/*.csv; do
	inputs+=("0=$file")
done
for words in gaps launch; do
	base=$(peak "$words" -j 2 "$work/small")
	judge "$words -j 2" "${more[both]}" 3072 "$(peak "$words" -j 2 "$work/large")" "$base"
	judge "$words -j 2, in parts" "${more[both]}" 4608 "$(peak "$words" -j 2 "${inputs[@]}")" "$base"
done

[ $failed = 0 ] && echo "${more[both]} intervals: at most $bytes bytes each"
exit $failed
