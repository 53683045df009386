# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154 # part of bench.sh, which sets the variables
# What both parts of the benchmark share: files made once, samples, figures of them, targets.

note() { printf 'bench: %s\n' "$*" >&2; }
die() {
	note "$*"
	exit 2
}

missing() { printf '\n*** LEFT OUT: %s\n\n' "$*" | tee -a "$work/left_out" >&2; }

# make_file FILE COMMAND...: COMMAND's stdout, once; whole or not at all.
make_file() {
	local file=$1

	shift
	[ -s "$file" ] && return
	note "making $file"
	"$@" >"$file.part"
	mv "$file.part" "$file"
}

# Samples: one line "cpu_us wall_us peak_kib" per run in $work/samples/SET.ID.
sample() {
	run "$2" "$3" /dev/null >>"$work/samples/$1.$2" || die "${label[$2]} failed on $3"
}

# rounds SET FILE N ID...: interleaved, so that a busy moment of the machine hits all alike.
rounds() {
	local set=$1 file=$2 n=$3 i id

	shift 3
	for ((i = 1; i <= n; i++)); do
		note "$set: round $i of $n"
		for id in "$@"; do
			[ "${have[$id]:-}" ] || continue
			# Slow ones vary little: two rounds will do.
			case $id in pandas | sqlite) [ "$i" -le 2 ] || continue ;; esac
			if [ "$set.$id" = long.sqlite ]; then
				sample "$set" "$id" "$small"
			else
				sample "$set" "$id" "$file"
			fi
		done
	done
}

# median SET ID COLUMN: of a column (1 cpu, 2 wall: seconds; 3 peak: MiB), or nothing.
median() {
	local file=$work/samples/$1.$2 scale=1

	[ -s "$file" ] || return 0
	[ "$1.$2" = long.sqlite ] && scale=$small_part
	cut -d' ' -f"$3" "$file" | sort -n | awk -v column="$3" -v scale="$scale" '
		{ v[NR] = $1 }
		END {
			m = NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
			printf "%.6f\n", column == 3 ? m / 1024 : m * scale / 1e6
		}'
}

# best SET ID COLUMN: the least of a column: what is left of it without the neighbors of this machine.
best() {
	[ -s "$work/samples/$1.$2" ] || return 0
	cut -d' ' -f"$3" "$work/samples/$1.$2" | sort -n | awk -v column="$3" '
		NR == 1 { printf "%.6f\n", column == 3 ? $1 / 1024 : $1 / 1e6 }'
}

# ms ID: median wall clock of a start-up, in milliseconds.
ms() { awk -v s="$(median start "$1" 2)" 'BEGIN { printf "%.2f", s * 1000 }'; }

# ratio A B: A / B, or nothing when one of them is missing.
ratio() { awk -v a="${1:-0}" -v b="${2:-0}" 'BEGIN { if (a > 0 && b > 0) printf "%.2f\n", a / b }'; }

# target TEXT VALUE OP BOUND UNIT
target() {
	if [ -z "$2" ]; then
		printf '  -    %-68s not measured\n' "$1"
	else
		awk -v text="$1" -v v="$2" -v op="$3" -v bound="$4" -v unit="$5" 'BEGIN {
			ok = op == ">=" ? v >= bound : op == "<=" ? v <= bound : v < bound
			printf "  %-4s %-68s %.2f%s\n", ok ? "yes" : "NO", text " " op " " bound unit, v, unit
		}'
	fi
}
