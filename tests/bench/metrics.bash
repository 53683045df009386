# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154,SC2034,SC2004 # part of bench.sh, which sets and uses the variables
# The part of the benchmark about the other sub-commands of kstats, and tracereport, which asks them all: what each costs
# beside kstats top.

# Words after kstats (tracereport has none), and what is kept of the input: k operations of the GPU, a API calls, nothing.
declare -A m_words=(
	[m_top]='top --domain all' [m_classes]=classes [m_gemm]=gemm [m_timeline]=timeline [m_gaps]=gaps
	[m_list]='gaps --list' [m_hist]='gaps --hist' [m_sync]=sync [m_launch]=launch [m_copies]=copies
	[m_memory]=memory [m_regions]=regions [m_steps]='regions --steps' [m_ranks]=ranks
	[m_summary]=summary [m_findings]=findings [m_report]=
)
declare -A m_keeps=(
	[m_classes]=k [m_gemm]=k [m_timeline]=k [m_gaps]=ka [m_list]=ka [m_hist]=k [m_sync]=- [m_launch]=ka
	[m_copies]=k [m_memory]=- [m_regions]=ka [m_steps]=k [m_ranks]=k [m_summary]=ka
)
m_ids='m_top m_classes m_gemm m_timeline m_gaps m_list m_hist m_sync m_launch m_copies m_memory m_regions m_steps m_ranks m_summary m_findings m_report'
declare -A m_input m_bytes m_gpu m_api

# run_metric ID FILE OUT: a sub-command with nothing to show (copies of a kernel trace) has read all of
# it to know, so its 2 is no failure.
run_metric() {
	local words

	if [ "$1" = m_report ]; then
		"$tools/measure" -s 2 -o "$3" "$BUILD/tracereport" -q -j 1 "$2"
		return
	fi
	read -ra words <<<"${m_words[$1]}"
	"$tools/measure" -s 2 -o "$3" "$kstats" "${words[@]}" -q -j 1 -f csv "$2"
}

# m_count FILE DOMAIN...: rows
m_count() {
	local file=$1 domain

	shift
	for domain in "$@"; do # 2: there are none
		"$kstats" top -q --domain "$domain" --name class -f csv --columns calls "$file" 2>/dev/null || [ $? = 2 ]
	done | awk '/^[0-9]/ { n += $1 } END { print n + 0 }'
}

# Two inputs: kernel trace and HIP API trace of one run, and the pftrace, which has copies and counters.
make_metrics() {
	local id set little=$((SIZE / 10))

	[ "${have[top1]:-}" ] || return 0
	m_input[csv]=$data/trace-$SIZE
	mkdir -p "${m_input[csv]}"
	make_file "${m_input[csv]}/1_kernel_trace.csv" "$BUILD/gen_csv" "$SIZE"
	make_file "${m_input[csv]}/1_hip_api_trace.csv" "$BUILD/gen_csv" --kind hip "$SIZE"
	m_little=$data/trace-$little
	mkdir -p "$m_little"
	make_file "$m_little/1_kernel_trace.csv" "$BUILD/gen_csv" $little
	make_file "$m_little/1_hip_api_trace.csv" "$BUILD/gen_csv" --kind hip $little
	m_bytes[csv]=$(cat "${m_input[csv]}"/*.csv | wc -c)
	if [ "${have[pf_top]:-}" ]; then
		m_input[pf]=$pf
		m_bytes[pf]=$(wc -c <"$pf")
	fi
	for set in "${!m_input[@]}"; do
		m_gpu[$set]=$(m_count "${m_input[$set]}" kernel copy)
		m_api[$set]=$(m_count "${m_input[$set]}" hip hsa)
	done
	m_gpu[little]=$(m_count "$m_little" kernel copy)
	m_api[little]=$(m_count "$m_little" hip hsa)
	for id in $m_ids; do
		have[$id]=1
		label[$id]="kstats ${m_words[$id]}"
	done
	label[m_report]=tracereport
}

measure_metrics() {
	local set

	for set in "${!m_input[@]}"; do
		# shellcheck disable=SC2086 # a list
		rounds "m$set" "${m_input[$set]}" "$ROUNDS" $m_ids
	done
	# shellcheck disable=SC2086 # a list
	[ ! "${m_input[csv]:-}" ] || rounds mlittle "$m_little" 1 $m_ids
}

# What a kept row costs: RSS beyond that of the same question to a tenth of the trace and m_fixed, by the rows
# there are more.  Of the CSV files only, for there is a smaller pair of them.
m_fixed=262144
m_row_bytes() {
	local set=$1 id=$2 rows=0

	[ "$set" = csv ] || return 0
	case ${m_keeps[$id]:-} in *k*) rows=$((rows + m_gpu[csv] - m_gpu[little])) ;; esac
	case ${m_keeps[$id]:-} in *a*) rows=$((rows + m_api[csv] - m_api[little])) ;; esac
	awk -v mib="$(median "m$set" "$id" 3)" -v none="$(median mlittle "$id" 3)" -v n="$rows" -v fixed=$m_fixed 'BEGIN {
		more = (mib - none) * 1048576 - fixed
		if (n > 0)
			printf "%.1f\n", (more > 0 ? more : 0) / n
	}'
}

table_metrics() {
	local set id

	for set in csv pf; do
		[ "${m_input[$set]:-}" ] || continue
		printf '\n%-36s %9s %9s %9s %9s %9s %10s\n' "$set + API calls, $((m_bytes[$set] / 1000000)) MB" 'cpu s' 'best cpu' \
			'MB/cpu-s' 'x top' 'RSS MiB' 'B/interval'
		for id in $m_ids; do
			awk -v name="${label[$id]}" -v cpu="$(median "m$set" "$id" 1)" -v least="$(best "m$set" "$id" 1)" \
				-v top="$(best "m$set" m_top 1)" -v rss="$(median "m$set" "$id" 3)" \
				-v bytes="${m_bytes[$set]}" -v row="$(m_row_bytes "$set" "$id")" 'BEGIN {
					printf "%-36s %9.3f %9.3f %9.0f %9.2f %9.1f %10s\n", name, cpu, least,
					       bytes / 1e6 / cpu, least / top, rss, row == "" ? "-" : row
				}'
		done
		printf '%s operations of the GPU, %s API calls\n' "${m_gpu[$set]}" "${m_api[$set]}"
	done
}

targets_metrics() {
	local set id rows build pass bytes edges

	read -r rows build pass bytes edges < <("$tools/replay_time" 10000000)
	target "replay, $rows rows with $edges dependencies each: CPU s to build the graph" "$build" '<=' 15 ' s'
	target "replay, $rows rows: CPU s of a pass" "$pass" '<=' 0.3 ' s'
	target "replay: memory a row of the graph and a pass" "$bytes" '<=' 96 ' bytes'

	for set in csv pf; do
		[ "${m_input[$set]:-}" ] || continue
		for id in $m_ids; do
			[ "$id" != m_top ] || continue
			target "$set, ${label[$id]}: CPU against top of all domains" \
				"$(ratio "$(best "m$set" "$id" 1)" "$(best "m$set" m_top 1)")" '<=' 3 x
		done
	done
	# 16 bytes, and half a byte for what is beside them.
	for id in $m_ids; do
		[ "${m_keeps[$id]:--}" != - ] || continue
		target "csv, ${label[$id]}: memory an interval that it keeps" "$(m_row_bytes csv "$id")" '<=' 16.5 ' bytes'
	done
}
