# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154,SC2034 # part of bench.sh, which sets and uses the variables
# The part of the benchmark about rocpd databases and traces of torch.profiler.

o_dispatches=$((SIZE / 500)) # two million of the default gigabyte
o_bytes=$((SIZE / 3))

label[o_rocpd]='kstats top -j 1, rocpd'
label[o_sqlite]='sqlite3: SUM, GROUP BY name'
label[o_kineto]='kstats top -j 1, torch.profiler'
label[o_python]='Python: json.load and a loop'

# run_other ID FILE OUT
run_other() {
	case $1 in
	o_sqlite) "$tools/measure" -o "$3" python3 "$here/others.py" sums rocpd "$2" ;;
	o_python) "$tools/measure" -o "$3" python3 "$here/others.py" sums kineto "$2" ;;
	*) "$tools/measure" -o "$3" "$kstats" top -q -j 1 -f csv --columns name,calls,total_ns "$2" ;;
	esac
}

make_others() {
	[ "${have[top1]:-}" ] || return 0
	have[o_rocpd]=1 have[o_sqlite]=1 have[o_kineto]=1 have[o_python]=1
	o_rocpd=$data/rocpd-$o_dispatches.db
	o_kineto=$data/kineto-$o_bytes.json
	if [ ! -s "$o_rocpd" ]; then
		note "making $o_rocpd"
		python3 "$here/others.py" rocpd "$o_dispatches" "$o_rocpd.part"
		mv "$o_rocpd.part" "$o_rocpd"
	fi
	make_file "$o_kineto" python3 "$here/others.py" kineto "$o_bytes"
}

# To the call and the nanosecond.
check_others() {
	local pair mine theirs

	[ "${have[o_rocpd]:-}" ] || return 0
	for pair in "o_rocpd o_sqlite $o_rocpd" "o_kineto o_python $o_kineto"; do
		read -r mine theirs file <<<"$pair"
		run "$mine" "$file" "$work/answer/$mine" >/dev/null || wrong=1
		run "$theirs" "$file" "$work/answer/$theirs" >/dev/null || wrong=1
		if ! tail -n +2 "$work/answer/$mine" | sort | cmp - "$work/answer/$theirs"; then
			note "WRONG: ${label[$mine]} differs from ${label[$theirs]}"
			wrong=1
		fi
	done
}

measure_others() {
	[ "${have[o_rocpd]:-}" ] || return 0
	rounds others "$o_rocpd" "$ROUNDS" o_rocpd o_sqlite
	rounds others "$o_kineto" "$ROUNDS" o_kineto o_python
}

table_others() {
	local id bytes

	[ "${have[o_rocpd]:-}" ] || return 0
	printf '\n%-36s %9s %9s %9s %9s %9s\n' 'other formats' 'MB' 'cpu s' 'best cpu' 'MB/cpu-s' 'RSS MiB'
	for id in o_rocpd o_sqlite o_kineto o_python; do
		case $id in
		o_rocpd | o_sqlite) bytes=$(wc -c <"$o_rocpd") ;;
		*) bytes=$(wc -c <"$o_kineto") ;;
		esac
		awk -v name="${label[$id]}" -v cpu="$(median others $id 1)" -v least="$(best others $id 1)" -v bytes="$bytes" \
			-v rss="$(median others $id 3)" 'BEGIN {
				printf "%-36s %9.0f %9.3f %9.3f %9.0f %9.1f\n", name, bytes / 1e6, cpu, least, bytes / 1e6 / cpu, rss
			}'
	done
}

targets_others() {
	target 'rocpd, kstats top, per CPU second' "$(per_second "$o_dispatches" "$(median others o_rocpd 1)")" '>=' 1 \
		' M dispatches'
	target 'rocpd, kstats top: peak RSS' "$(median others o_rocpd 3)" '<' 64 ' MiB'
	target 'torch.profiler, kstats top, per CPU second' \
		"$(per_second "${have[o_kineto]:+$(wc -c <"$o_kineto")}" "$(median others o_kineto 1)")" '>=' 150 ' MB'
	target "torch.profiler, kstats top: CPU against Python's json and a loop" \
		"$(ratio "$(median others o_python 1)" "$(median others o_kineto 1)")" '>=' 10 x
	target 'torch.profiler, kstats top: peak RSS' "$(median others o_kineto 3)" '<' 64 ' MiB'
}
