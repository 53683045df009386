# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154,SC2034 # part of bench.sh, which sets and uses the variables
# The part of the benchmark about two runs: what tracediff costs beside kstats top of both.

# run_pair ID FILE OUT: FILE is the folder of both.  A verdict of 1 is an answer, too.
run_pair() {
	case $1 in
	p_a | p_b) "$tools/measure" -o "$3" "$kstats" top -q -j 1 -f csv "$2/${1#p_}.csv" ;;
	p_diff) "$tools/measure" -s 1 -o "$3" "$BUILD/tracediff" -q -j 1 -f csv "$2/a.csv" "$2/b.csv" ;;
	esac
}

label[p_a]='kstats top A' label[p_b]='kstats top B' label[p_diff]='tracediff A B'

make_pair() {
	[ "${have[top1]:-}" ] || return 0
	pair=$data/pair-$SIZE
	mkdir -p "$pair"
	make_file "$pair/a.csv" "$BUILD/gen_csv" "$SIZE"
	make_file "$pair/b.csv" "$BUILD/gen_csv" --seed 43 "$SIZE"
	have[p_a]=1 have[p_b]=1 have[p_diff]=1
}

measure_pair() {
	[ ! "${pair:-}" ] || rounds pair "$pair" "$ROUNDS" p_a p_b p_diff
}

# What kstats top takes for both.
p_both() {
	local of=$1

	awk -v a="$("$of" pair p_a 1)" -v b="$("$of" pair p_b 1)" 'BEGIN { if (a && b) printf "%.6f\n", a + b }'
}

table_pair() {
	local id

	[ "${pair:-}" ] || return 0
	printf '\n%-36s %9s %9s %9s\n' "two runs of $((SIZE / 1000000)) MB" 'cpu s' 'best cpu' 'RSS MiB'
	for id in p_a p_b p_diff; do
		printf '%-36s %9.3f %9.3f %9.1f\n' "${label[$id]}" "$(median pair $id 1)" "$(best pair $id 1)" \
			"$(median pair $id 3)"
	done
}

targets_pair() {
	target 'tracediff A B: CPU against kstats top of both' \
		"$(ratio "$(median pair p_diff 1)" "$(p_both median)")" '<=' 2.2 x
}
