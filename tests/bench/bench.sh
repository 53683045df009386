#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How fast are the tools, beside public ones, on the same file in the same run?  See README.md here.
# This is the part about CSV; pftrace.bash is that about pftraces and run.db, others.bash that about other
# formats, metrics.bash that about the other sub-commands of kstats, logs.bash that about libperf, pair.bash that
# about tracediff.
#
#   BUILD=build/KEY [SIZE=bytes] [ROUNDS=5] [PEERS_ONLY=1] [ONLY=pftrace|metrics|others|logs|pair] tests/bench/bench.sh
#
# Exit 0 when every program gave the same answer (a missed target is not a failure), 1 when not, 2
# when the benchmark could not be run.
set -euo pipefail
export LC_ALL=C TZ=UTC

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
: "${BUILD:?want BUILD=, the directory of kstats and of bench/}"
SIZE=${SIZE:-1000000000}
ROUNDS=${ROUNDS:-5}
PEERS_ONLY=${PEERS_ONLY:-}
ONLY=${ONLY:-}
work=build/bench
tools=$BUILD/bench
kstats=$BUILD/kstats
modules=$work
small_part=20 # sqlite3 gets this part of the file

# ---- the programs: one function call = one measured process -------------------------------------

# Through a pipe on purpose; what is measured is the reading end alone.
piped() {
	local file=$1

	shift
	# shellcheck disable=SC2002
	cat "$file" | "$@"
}

# run ID FILE OUT: "cpu_us wall_us peak_kib"
run() {
	local id=$1 file=$2 out=$3

	case $id in
	top1) "$tools/measure" -o "$out" "$kstats" top -q -j 1 -f csv "$file" ;;
	pipe) piped "$file" "$tools/measure" -o "$out" "$kstats" top -q -j 1 -f csv - ;;
	pipecols) piped "$file" "$tools/measure" -o "$out" "$kstats" top -q -j 1 -f csv \
		--columns name,calls,total_ns,min_ns,max_ns - ;;
	pipelibcsv) piped "$file" "$tools/measure" -o "$out" "$tools/libcsv_top" /dev/stdin ;;
	pipeduckdb) piped "$file" "$tools/measure" -o "$out" node "$here/duckdb_top.mjs" "$modules" /dev/stdin 1 \
		"$file" ;;
	top2) "$tools/measure" -o "$out" "$kstats" top -q -j 2 -f csv "$file" ;;
	cols) "$tools/measure" -o "$out" "$kstats" top -q -j 1 -f csv \
		--columns name,calls,total_ns,min_ns,max_ns "$file" ;;
	full) "$tools/measure" -o "$out" "$tools/full_table" "$file" ;;
	libcsv) "$tools/measure" -o "$out" "$tools/libcsv_top" "$file" ;;
	duckdb1) "$tools/measure" -o "$out" node "$here/duckdb_top.mjs" "$modules" "$file" 1 ;;
	duckdb2) "$tools/measure" -o "$out" node "$here/duckdb_top.mjs" "$modules" "$file" 2 ;;
	pandas) "$tools/measure" -o "$out" "$pandas" "$here/pandas_top.py" "$file" ;;
	sqlite) "$tools/measure" -o "$out" sh "$here/sqlite_top.sh" "$file" ;;
	floor) "$tools/measure" -o "$out" "$tools/floor_read" "$file" ;;
	pf* | db*) run_pftrace "$id" "$file" "$out" ;;
	m_*) run_metric "$id" "$file" "$out" ;;
	o_*) run_other "$id" "$file" "$out" ;;
	l_*) run_logs "$id" "$file" "$out" ;;
	p_*) run_pair "$id" "$file" "$out" ;;
	*) die "no such program: $id" ;;
	esac
}

declare -A label=(
	[top1]='kstats top -j 1' [pipe]='kstats top -j 1, pipe' [top2]='kstats top -j 2'
	[cols]='kstats top -j 1, 5 columns' [full]='full_table (all columns)' [libcsv]='libcsv loop'
	[duckdb1]='DuckDB, 1 thread' [duckdb2]='DuckDB, 2 threads' [pandas]='pandas, C engine'
	[sqlite]="sqlite3 .import (1/$small_part, scaled)" [floor]='read() + memchr (floor)'
	[pipecols]='kstats top -j 1, 5 columns, pipe' [pipelibcsv]='libcsv loop, pipe'
	[pipeduckdb]='DuckDB, 1 thread, pipe'
)
declare -A have=([libcsv]=1 [pipelibcsv]=1 [floor]=1)

# shellcheck disable=SC1091 # it is checked as a file of its own
. "$here/plumbing.bash"
# shellcheck disable=SC1091 # it is checked as a file of its own
. "$here/pftrace.bash"
# shellcheck disable=SC1091 # it is checked as a file of its own
. "$here/metrics.bash"
# shellcheck disable=SC1091 # it is checked as a file of its own
. "$here/others.bash"
# shellcheck disable=SC1091 # it is checked as a file of its own
. "$here/logs.bash"
# shellcheck disable=SC1091 # it is checked as a file of its own
. "$here/pair.bash"

find_kstats() {
	if [ -x "$kstats" ]; then
		have[top1]=1 have[pipe]=1 have[top2]=1 have[cols]=1 have[pipecols]=1
	elif [ -n "$PEERS_ONLY" ]; then
		missing "kstats: not built, PEERS_ONLY is set"
	else
		die "$kstats is not there; build first"
	fi
	if [ -x "$tools/full_table" ]; then
		have[full]=1
	elif [ -n "$PEERS_ONLY" ]; then
		missing "full_table: not built, PEERS_ONLY is set"
	else
		die "$tools/full_table is not there; build first"
	fi
}

find_peers() {
	local p

	for p in "$tools/measure" "$BUILD/gen_csv" "$BUILD/gen_pftrace" "$tools/libcsv_top" "$tools/floor_read"; do
		[ -x "$p" ] || die "$p is not there; build first"
	done
	command -v python3 >/dev/null || die "python3 is not there; run tests/deps.sh bench"
	[ -z "$ONLY" ] || return 0
	if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
		missing "DuckDB: node or npm is not there; run tests/deps.sh bench"
	elif [ -d "$modules/node_modules/@duckdb/node-api" ] ||
		timeout 300 npm install --no-audit --no-fund --prefix "$modules" @duckdb/node-api >&2; then
		have[duckdb1]=1 have[duckdb2]=1 have[pipeduckdb]=1
	else
		missing "DuckDB: npm cannot install @duckdb/node-api (no network?)"
	fi
	# The python3 in front may not be the distribution's, which is where the pandas package is.
	for p in python3 /usr/bin/python3; do
		if "$p" -c 'import pandas' 2>/dev/null; then
			pandas=$p have[pandas]=1
			break
		fi
	done
	[ "${have[pandas]:-}" ] || missing "pandas: no python3 has it; run tests/deps.sh bench"
	if command -v sqlite3 >/dev/null; then
		have[sqlite]=1
	else
		missing "sqlite3: not there; run tests/deps.sh bench"
	fi
}

# ---- data ------------------------------------------------------------------------------------------

# Data of another generator is not comparable, so it is not kept either.
make_data() {
	local gen old

	gen=$(cat tests/gen/*.[ch] tests/gen/*.py tests/bench/others.py | cksum | cut -d' ' -f1)
	data=$work/data-$gen
	for old in "$work"/data-*; do
		[ "$old" = "$data" ] || [ ! -d "$old" ] || rm -r "$old"
	done
	mkdir -p "$data"
	[ -z "$ONLY" ] || return 0
	long=$data/long-$SIZE.csv
	short=$data/short-$((SIZE / 2)).csv
	nasty=$data/nasty-$((SIZE / 5)).csv
	small=$data/small-$((SIZE / small_part)).csv
	tiny=$data/tiny.csv
	make_file "$long" "$BUILD/gen_csv" "$SIZE"
	make_file "$short" "$BUILD/gen_csv" --short $((SIZE / 2))
	# Escaped names in the table that really has them; rocprofv3 itself escapes nothing.
	make_file "$nasty" "$BUILD/gen_csv" --nasty --seed 7 --dialect rocpd $((SIZE / 5))
	make_file "$small" "$BUILD/gen_csv" $((SIZE / small_part))
	make_file "$tiny" "$BUILD/gen_csv" 10000
	if [ "${have[top1]:-}" ]; then
		make_file "$long.gz" gzip -6 -n -c "$long"
		if command -v zstd >/dev/null; then
			make_file "$long.zst" zstd -q -3 -c "$long"
		else
			missing "zstd: not there, so no .zst figure"
		fi
	fi
}

# ---- answers first ---------------------------------------------------------------------------------

wrong=0

# same SET FILE ID...: is every program's answer that of libcsv?  Also warms the page cache.
same() {
	local set=$1 file=$2 id

	shift 2
	run libcsv "$file" "$work/answer/$set.libcsv" >/dev/null || die "libcsv_top failed on $file"
	for id in "$@"; do
		[ "${have[$id]:-}" ] || continue
		if ! run "$id" "$file" "$work/answer/$set.$id" >/dev/null; then
			note "WRONG: ${label[$id]} failed on $file"
			wrong=1
		elif ! python3 "$here/same_answer.py" "$work/answer/$set.libcsv" "$work/answer/$set.$id"; then
			note "WRONG: ${label[$id]} differs from libcsv on $file"
			wrong=1
		fi
	done
}

check_answers() {
	local n

	note "do all programs give the same answer?"
	rm -rf "$work/answer"
	mkdir -p "$work/answer"
	same long "$long" top1 pipe top2 cols pipecols pipelibcsv duckdb1 duckdb2 pipeduckdb pandas
	same short "$short" top1 pipe top2 duckdb1
	same nasty "$nasty" top1 pipe top2 cols duckdb1 duckdb2 pandas sqlite
	same small "$small" top1 sqlite
	if [ "${have[full]:-}" ]; then
		"$tools/libcsv_top" --sums "$long" >"$work/answer/sums.libcsv"
		if ! "$tools/full_table" "$long" >"$work/answer/sums.full" ||
			! python3 "$here/same_answer.py" --sums "$work/answer/sums.libcsv" "$work/answer/sums.full"; then
			note "WRONG: full_table differs from libcsv on $long"
			wrong=1
		fi
	fi
	for n in gz zst; do
		if [ ! "${have[top1]:-}" ] || [ ! -s "$long.$n" ]; then
			continue
		fi
		"$kstats" top -q -f csv "$long.$n" >"$work/answer/long.$n" || wrong=1
		python3 "$here/same_answer.py" "$work/answer/long.libcsv" "$work/answer/long.$n" || wrong=1
	done
}

# table SET BYTES ID...
table() {
	local set=$1 bytes=$2 id cpu

	shift 2
	printf '\n%-36s %9s %9s %9s %9s %9s %9s\n' "$set, $((bytes / 1000000)) MB" 'cpu s' 'MB/cpu-s' 'wall s' \
		'RSS MiB' 'x libcsv' 'x DuckDB'
	for id in "$@"; do
		cpu=$(median "$set" "$id" 1)
		[ "$cpu" ] || continue
		awk -v name="${label[$id]}" -v bytes="$bytes" -v cpu="$cpu" -v wall="$(median "$set" "$id" 2)" \
			-v rss="$(median "$set" "$id" 3)" -v lib="$(ratio "$(median "$set" libcsv 1)" "$cpu")" \
			-v duck="$(ratio "$(median "$set" duckdb1 1)" "$cpu")" 'BEGIN {
				printf "%-36s %9.3f %9.0f %9.3f %9.1f %9s %9s\n", name, cpu, bytes / 1e6 / cpu, wall,
				       rss, lib == "" ? "-" : lib, duck == "" ? "-" : duck
			}'
	done
}

measure_compressed() {
	local n i

	[ "${have[top1]:-}" ] || return 0
	for n in gz zst; do
		[ -s "$long.$n" ] || continue
		label[$n]="kstats top -j 1, .$n"
		for ((i = 0; i < 3; i++)); do
			"$tools/measure" "$kstats" top -q -j 1 -f csv "$long.$n" >>"$work/samples/compressed.$n" ||
				die "kstats failed on $long.$n"
		done
	done
	table compressed "$SIZE" gz zst
}

measure_start() {
	local true_

	[ "${have[top1]:-}" ] || return 0
	true_=$(type -P true)
	"$tools/measure" -n 200 "$true_" >"$work/samples/start.true"
	"$tools/measure" -n 200 "$kstats" -V >"$work/samples/start.version"
	"$tools/measure" -n 200 "$kstats" top -q "$tiny" >"$work/samples/start.tiny"
	printf 'start-up, median of 200 runs: kstats -V %s ms, kstats top of a 10 KB file %s ms, true %s ms\n' \
		"$(ms version)" "$(ms tiny)" "$(ms true)"
}

# What a peer pays before the first byte is inside its figures; say how much that is.
measure_peer_start() {
	local id i

	for id in duckdb1 pandas; do
		[ "${have[$id]:-}" ] || continue
		for ((i = 0; i < 3; i++)); do
			sample start "$id" "$tiny"
		done
		printf 'start-up of %s, inside its figures above: %.2f s CPU\n' "${label[$id]}" "$(median start "$id" 1)"
	done
}

targets() {
	local id worst

	printf '\ntargets (medians of this run)\n'
	for id in top1 pipe cols pipecols; do
		target "${label[$id]}: CPU against DuckDB" "$(ratio "$(median long duckdb1 1)" "$(median long $id 1)")" '>=' 5 x
		target "${label[$id]}: CPU against libcsv" "$(ratio "$(median long libcsv 1)" "$(median long $id 1)")" '>=' 8 x
	done
	for id in pipe pipecols; do
		target "${label[$id]}: CPU against DuckDB, pipe" \
			"$(ratio "$(median long pipeduckdb 1)" "$(median long $id 1)")" '>=' 5 x
		target "${label[$id]}: CPU against libcsv, pipe" \
			"$(ratio "$(median long pipelibcsv 1)" "$(median long $id 1)")" '>=' 8 x
	done
	target 'short names: CPU against DuckDB' "$(ratio "$(median short duckdb1 1)" "$(median short top1 1)")" '>=' 5 x
	target 'short names: CPU against libcsv' "$(ratio "$(median short libcsv 1)" "$(median short top1 1)")" '>=' 8 x
	target 'escaped names: CPU against libcsv' "$(ratio "$(median nasty libcsv 1)" "$(median nasty top1 1)")" '>=' 5 x
	worst=$(for id in top1 pipe top2 cols pipecols; do median long $id 3; done | sort -n | tail -n 1)
	target 'kstats top: largest peak RSS' "$worst" '<' 64 ' MiB'
	target 'wall of -j 2 against -j 1' "$(ratio "$(median long top1 2)" "$(median long top2 2)")" '>=' 1.6 x
	target 'full table, all columns, per CPU second' \
		"$(ratio "$(awk -v n="$SIZE" 'BEGIN { print n / 1e9 }')" "$(median long full 1)")" '>=' 1 ' GB'
	target 'start-up of kstats -V' "${have[top1]:+$(ms version)}" '<' 5 ' ms'
	target 'start-up of kstats top, 10 KB file' "${have[top1]:+$(ms tiny)}" '<' 5 ' ms'
	targets_pftrace
	targets_others
	targets_metrics
	targets_logs
	targets_pair
}

machine() {
	local cpu

	cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
	printf '%s, %s CPUs, load %s; %s rounds, interleaved, medians; page cache warm\n' "${cpu:-unknown CPU}" \
		"$(nproc)" "$(cut -d' ' -f1 /proc/loadavg)" "$ROUNDS"
	printf 'peers:'
	[ -z "${have[duckdb1]:-}" ] || printf ' DuckDB %s;' "$(sed -n 's/^ *"version": "\(.*\)",$/\1/p' \
		"$modules/node_modules/@duckdb/node-api/package.json")"
	[ -z "${have[pandas]:-}" ] || printf ' pandas %s;' "$("$pandas" -c 'import pandas; print(pandas.__version__)')"
	[ -z "${have[sqlite]:-}" ] || printf ' sqlite3 %s;' "$(sqlite3 --version | cut -d' ' -f1)"
	printf ' libcsv, 64 KB blocks\n'
	cat "$work/left_out"
}

# One part alone: pftrace, metrics, others, logs or pair.
only() {
	rm -rf "$work/samples" "$work/answer"
	mkdir -p "$work/samples" "$work/answer"
	case $1 in pftrace | others | logs) check_"$1" ;; esac
	"measure_$1"
	{
		machine
		"table_$1"
		printf '\ntargets (of this run)\n'
		"targets_$1"
	} | tee "$work/report.txt"
	return $wrong
}

main() {
	mkdir -p "$work"
	: >"$work/left_out"
	find_kstats
	find_peers
	make_data
	case $ONLY in
	'' | metrics | pftrace)
		find_pftrace
		make_pftrace
		;;&
	'' | metrics) make_metrics ;;&
	'' | others) make_others ;;&
	'' | logs) make_logs ;;&
	'' | pair) make_pair ;;
	esac
	if [ "$ONLY" ]; then
		only "$ONLY"
		return
	fi
	check_answers
	check_pftrace
	check_others
	check_logs
	rm -rf "$work/samples"
	mkdir -p "$work/samples"
	rounds long "$long" "$ROUNDS" top1 libcsv pipe duckdb1 pipelibcsv top2 full pipeduckdb cols duckdb2 pipecols \
		floor pandas sqlite
	rounds short "$short" "$ROUNDS" top1 libcsv duckdb1 floor
	rounds nasty "$nasty" "$ROUNDS" top1 libcsv duckdb1
	measure_pftrace
	measure_others
	measure_metrics
	measure_logs
	measure_pair
	{
		machine
		table long "$SIZE" top1 pipe top2 cols pipecols full libcsv pipelibcsv duckdb1 pipeduckdb duckdb2 \
			pandas sqlite floor
		table short $((SIZE / 2)) top1 libcsv duckdb1 floor
		table nasty $((SIZE / 5)) top1 libcsv duckdb1
		measure_compressed
		table_pftrace
		table_others
		table_metrics
		table_logs
		table_pair
		printf '\n'
		measure_start
		measure_peer_start
		targets
		if [ $wrong = 0 ]; then
			printf '\nanswers: all programs agree\n'
		else
			printf '\nanswers: SOME PROGRAMS DISAGREE, see above; the figures mean nothing\n'
		fi
	} | tee "$work/report.txt"
	return $wrong
}

main
