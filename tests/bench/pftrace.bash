# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154,SC2034,SC2004 # part of bench.sh, which sets and uses the variables
# The part of the benchmark about pftraces and databases: kstats, tracecat and tracemerge.

perfetto_mb_s=27       # of Perfetto's own reader, CPU; see README.md: not measured in this run
pf_bytes=$((SIZE / 5)) # 200 MB of the default gigabyte: half a million kernels and their calls

label[pf_top]='kstats top -j 1'
label[pf_cols]='kstats top -j 1, 5 columns'
label[pf_merge]='tracemerge -j 1 --no-index'
label[pf_index]='tracemerge -j 1'
label[pf_stats]='tracemerge -j 1 --stats-only'
label[pf_cat]='tracecat -j 1, csv'
label[pf_json]='tracecat -j 1, ndjson'
label[pf_sort]='tracecat -j 1, csv, --sort start_ns'
label[pf_top2]='kstats top -j 2'
label[pf_floor]='read() + memchr (floor)'
label[pf_frames]='packets found (floor)'
label[pf_proto]='protobuf-c, arena'
label[pf_insert]='INSERT, prepared'
label[pf_import]='sqlite3 .import, of CSV'
pf_ids='pf_top pf_top2 pf_cols pf_proto pf_frames pf_merge pf_index pf_stats pf_insert pf_import pf_cat pf_json pf_sort pf_floor'

# run_pftrace ID FILE OUT
run_pftrace() {
	local id=$1 file=$2 out=$3 columns=name,calls,total_ns,min_ns,max_ns

	case $id in
	pf_top | db_*) "$tools/measure" -o "$out" "$kstats" top -q -j 1 -f csv "$file" ;;
	pf_top2) "$tools/measure" -o "$out" "$kstats" top -q -j 2 -f csv "$file" ;;
	pf_proto) "$tools/measure" -o "$out" "$tools/protobuf_top" "$file" ;;
	pf_frames) "$tools/measure" -o "$out" "$tools/floor_frames" "$file" ;;
	pf_insert) "$tools/measure" -o "$out" "$tools/insert_rows" "$file" "$work/inserted.db" ;;
	pf_import) "$tools/measure" -o "$out" sh "$here/sqlite_import.sh" "$file.events.csv" "$work/inserted.db" ;;
	pf_cols) "$tools/measure" -o "$out" "$kstats" top -q -j 1 -f csv --columns "$columns" "$file" ;;
	pf_merge) merge "$out" --no-index "$file" ;;
	pf_index) merge "$out" "$file" ;;
	pf_stats) merge "$out" --stats-only "$file" ;;
	pf_cat) "$tools/measure" -o "$out" "$BUILD/tracecat" -q -j 1 "$file" ;;
	pf_json) "$tools/measure" -o "$out" "$BUILD/tracecat" -q -j 1 -f ndjson "$file" ;;
	pf_sort) "$tools/measure" -o "$out" "$BUILD/tracecat" -q -j 1 --sort start_ns "$file" ;;
	pf_floor) "$tools/measure" -o "$out" "$tools/floor_read" "$file" ;;
	esac
}

# merge OUT OPTIONS... FILE: into a new file each time, as it is used.
merge() {
	local out=$1

	shift
	rm -f "$work/merged.db"
	"$tools/measure" -o "$out" "$BUILD/tracemerge" -q -j 1 -o "$work/merged.db" "$@"
}

find_pftrace() {
	local id tool

	for tool in kstats tracecat tracemerge; do
		if [ ! -x "$BUILD/$tool" ]; then
			[ -n "$PEERS_ONLY" ] || die "$BUILD/$tool is not there; build first"
			missing "pftrace and run.db: $tool is not built, PEERS_ONLY is set"
			return
		fi
	done
	for id in $pf_ids; do
		have["$id"]=1
	done
	for id in pf_proto:protobuf_top pf_frames:floor_frames pf_insert:insert_rows; do
		if [ ! -x "$tools/${id#*:}" ]; then
			unset "have[${id%:*}]"
			missing "${id#*:}: not built"
		fi
	done
	if ! command -v sqlite3 >/dev/null; then
		unset 'have[pf_import]'
		missing "sqlite3: not there, so no .import of events"
	fi
}

make_pftrace() {
	[ "${have[pf_top]:-}" ] || return 0
	pf=$data/run-$pf_bytes.pftrace
	make_file "$pf" "$BUILD/gen_pftrace" "$pf_bytes"
	make_file "$pf.csv" "$BUILD/gen_pftrace" --csv "$pf_bytes"
	make_file "$pf.events.csv" "$BUILD/tracecat" -q "$pf"
	tenth=$data/run-$((pf_bytes / 10)).pftrace
	make_file "$tenth" "$BUILD/gen_pftrace" $((pf_bytes / 10))
}

# Answers are those of libcsv on the kernel trace of the same run; rows are as many as there are events.
check_pftrace() {
	local id file rows events

	[ "${have[pf_top]:-}" ] || return 0
	for file in "$pf" "$tenth"; do
		"$BUILD/tracemerge" -q --no-index -o "${file%.pftrace}.db" "$file" || die "tracemerge failed on $file"
	done
	"$tools/libcsv_top" "$pf.csv" >"$work/answer/pf.libcsv"
	for id in pf_top pf_top2 pf_cols pf_proto db_top; do
		[ "${have[$id]:-}" ] || [ $id = db_top ] || continue
		file=$pf
		[ $id != db_top ] || file=${pf%.pftrace}.db
		if ! run $id "$file" "$work/answer/pf.$id" >/dev/null ||
			! python3 "$here/same_answer.py" "$work/answer/pf.libcsv" "$work/answer/pf.$id"; then
			note "WRONG: $id differs from libcsv on the same run"
			wrong=1
		fi
	done
	events=$("$BUILD/tracecat" info -q -f csv --columns rows "$pf" | tail -n 1)
	rows=$("$BUILD/tracecat" -q "$pf.events.csv" | tail -n +2 | wc -l)
	slices=$("$BUILD/tracecat" -q --kind kernel,copy,api "$pf" | tail -n +2 | wc -l)
	if [ "$rows" != "$events" ] || [ "$slices" -gt "$events" ]; then
		note "WRONG: tracecat writes $rows rows, $slices of slices, for $events events"
		wrong=1
	fi
	if [ "${have[pf_insert]:-}" ] && [ "$("$tools/insert_rows" "$pf" "$work/inserted.db")" != "$events" ]; then
		note "WRONG: insert_rows writes another number of rows than $events"
		wrong=1
	fi
	cat_bytes=$("$BUILD/tracecat" -q "$pf" | wc -c)
}

measure_pftrace() {
	local i

	[ "${have[pf_top]:-}" ] || return 0
	# shellcheck disable=SC2086 # a list
	rounds pf "$pf" "$ROUNDS" $pf_ids
	for ((i = 0; i < ROUNDS; i++)); do
		"$tools/measure" -n 20 "$kstats" top -q -f csv "${pf%.pftrace}.db" >>"$work/samples/pf.db_top"
		"$tools/measure" -n 20 "$kstats" top -q -f csv "${tenth%.pftrace}.db" >>"$work/samples/pf.db_tenth"
	done
}

# per_second AMOUNT SECONDS: in millions
per_second() { awk -v a="${1:-0}" -v s="${2:-0}" 'BEGIN { if (a > 0 && s > 0) printf "%.2f\n", a / s / 1e6 }'; }

table_pftrace() {
	local id cpu least

	[ "${have[pf_top]:-}" ] || return 0
	printf '\n%-36s %9s %9s %9s %9s %9s %9s\n' "pftrace, $((pf_bytes / 1000000)) MB" 'cpu s' 'best cpu' 'MB/cpu-s' \
		'Mevt/s' 'RSS MiB' 'x Perf.'
	for id in $pf_ids; do
		[ "${have[$id]:-}" ] || continue
		cpu=$(median pf "$id" 1)
		least=$(best pf "$id" 1)
		awk -v name="${label[$id]}" -v cpu="$cpu" -v least="$least" -v bytes="$pf_bytes" -v n="$slices" \
			-v rss="$(median pf "$id" 3)" -v perfetto="$perfetto_mb_s" 'BEGIN {
				printf "%-36s %9.3f %9.3f %9.0f %9.2f %9.1f %9.1f\n", name, cpu, least, bytes / 1e6 / cpu,
				       n / 1e6 / cpu, rss, bytes / 1e6 / cpu / perfetto
			}'
	done
	printf 'tracecat, csv: %s MB written for %s million slices, %s MB a CPU second\n' $((cat_bytes / 1000000)) \
		"$(per_second "$slices" 1)" "$(per_second "$cat_bytes" "$(median pf pf_cat 1)")"
	printf 'kstats top of run.db, median of %s runs: %.1f ms CPU (best %.1f); with a tenth of the events %.1f ms\n' \
		$((ROUNDS * 20)) "$(in_ms median db_top)" "$(in_ms best db_top)" "$(in_ms median db_tenth)"
}

# in_ms median|best ID
in_ms() { "$1" pf "$2" 1 | awk '{ print $1 * 1000 }'; }

targets_pftrace() {
	local mb=$((pf_bytes / 1000000))

	if [ ! "${have[pf_top]:-}" ]; then
		target 'pftrace' '' '>=' 20 x
		return
	fi
	target "pftrace, kstats top: against Perfetto's $perfetto_mb_s MB/s" \
		"$(ratio "$mb" "$(awk -v s="$(median pf pf_top 1)" -v p=$perfetto_mb_s 'BEGIN { print s * p }')")" '>=' 20 x
	target 'pftrace, kstats top: GB a CPU second, least of the rounds' \
		"$(per_second "$((pf_bytes / 1000))" "$(best pf pf_top 1)")" '>=' 1.2 ' GB'
	target 'pftrace, kstats top: CPU against protobuf-c with an arena' \
		"$(ratio "$(median pf pf_proto 1)" "$(median pf pf_top 1)")" '>=' 5 x
	target 'pftrace, kstats top: CPU against finding the packets' \
		"$(ratio "$(median pf pf_top 1)" "$(median pf pf_frames 1)")" '<' 5 x
	target 'pftrace: wall of -j 2 against -j 1' "$(ratio "$(best pf pf_top 2)" "$(best pf pf_top2 2)")" '>=' 1.6 x
	target 'pftrace, tracemerge --no-index: CPU against prepared INSERT' \
		"$(ratio "$(median pf pf_insert 1)" "$(median pf pf_merge 1)")" '>=' 3 x
	target 'pftrace, tracemerge --no-index: CPU against sqlite3 .import' \
		"$(ratio "$(median pf pf_import 1)" "$(median pf pf_merge 1)")" '>=' 5 x
	target 'pftrace, kstats top: peak RSS' "$(median pf pf_top 3)" '<' 64 ' MiB'
	target 'pftrace, tracemerge --no-index, all columns, per CPU second' \
		"$(per_second "$slices" "$(median pf pf_merge 1)")" '>=' 1.3 ' M slices'
	target 'pftrace, tracemerge: peak RSS' "$(median pf pf_merge 3)" '<' 64 ' MiB'
	target 'kstats top of run.db' "$(in_ms median db_top)" '<' 20 ' ms'
	target 'kstats top of run.db against one with a tenth of the events' \
		"$(ratio "$(median pf db_top 1)" "$(median pf db_tenth 1)")" '<' 1.5 x
}
