#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the tests against one or more build directories; tests/cli/README says how a case is written.
#
#   tests/run.sh [-j N] [--only GROUP[,GROUP]] [--match TEXT] [--effort P,Q] [--sample C,O] [--times N] BUILD_DIR...
#   tests/run.sh --accept CASE BUILD_DIR
#
#   -j N            so many tests at a time (default: the cores)
#   --only GROUPS   of unit, cli, oracle, fault, lint (default: all of them); or sources, the part of lint
#                   that looks at sources alone: the directory need not hold a build
#   --match TEXT    tests whose name holds TEXT
#   --threads DIR   a build with ThreadSanitizer: the units in it, and one command-line case in twelve
#   --accept CASE   write the goldens of one case anew and print what changed
#   --effort P,Q    percent of their sweeps that oracle and fault try: with the first build (default 100)
#                   and with the others (default a fifth of that)
#   --sample C,O    with all builds but the first, one command-line case in C and one oracle in O (default: all)
#   --times N       print the CPU time of all tests and of the N that took most
#
# Once per build directory: unit (programs unit/test_* in it), cli (tests/cli/**/CASE.sh) and
# oracle (tests/oracle/*.sh).  Once, with the first directory: fault and lint.
# A test sees BUILD, BUILDS (all directories), GEN, TESTDATA; status 77 of a script means not run.
# The last line is "N passed, N failed", with a third number when tests could not run.
set -u
export LC_ALL=C TZ=UTC
# Files that no pattern finds are none, hidden ones are found.
shopt -s nullglob dotglob

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
self=$root/tests/run.sh
# Real traces that may not be shipped; tests that want them say so loudly where there are none.
shared=${TRACEMILL_SHARED:-$root/../shared}
[ -d "$shared" ] && shared=$(cd "$shared" && pwd) || shared=
all_groups=(unit cli oracle fault lint)
case_seconds=60
script_seconds=900

die() {
	printf 'run.sh: %s\n' "$*" >&2
	exit 2
}

# One command in its own directory and a known environment (use_build).  $1 work, in which are dir and tmp,
# $2 seconds, then the command.  The limit is of CPU time for each process, so that a busy machine fails
# nothing; what sleeps for good is stopped by the clock, much later (run_group).  The CPU time of all of it
# lands in $work/cpu.
# Leaves out, err and status in $work.  A sanitizer stop is status 134, never 1, and reports land in
# $work/san.*, so that a script which throws stderr away cannot hide them; what is undefined may be a trap.
# What is freed stays in quarantine for long only in units, and 16 MB of it: it costs fresh pages, half of a tool's time.
# Oracles do not look for leaks, which costs as much again: the cases have run every command before.
contained() {
	local work=$1 seconds=$2
	shift 2
	local log=exitcode=134:log_path=$work/san
	local TIMEFORMAT='%U %S' status frugal=
	case $kind in
	unit) frugal=:quarantine_size_mb=16 ;;
	cli | accept | fault) frugal=:quarantine_size_mb=1 ;;
	oracle) frugal=:quarantine_size_mb=1:detect_leaks=0 ;;
	esac
	# The redirection keeps bash's own "Killed" to itself; the status says it.
	{ time {
		(
			cd "$work/dir" && ulimit -t "$seconds" &&
				HOME=$work/dir TMPDIR=$work/tmp \
					ASAN_OPTIONS=$log:allocator_may_return_null=1:handle_sigill=1$frugal \
					LSAN_OPTIONS=$log TSAN_OPTIONS=$log MSAN_OPTIONS=$log \
					UBSAN_OPTIONS=$log:print_stacktrace=1:halt_on_error=1 \
					exec "$@" </dev/null >"$work/out" 2>"$work/err"
		)
		status=$?
	}; } 2>"$work/cpu"
	echo "$status" >"$work/status"
}

# What is wrong whatever the test expected, into wrong, one line each; nothing where all is well.
disaster() {
	local work=$1 status reports
	status=$(<"$work/status")
	wrong=
	if [ "$status" -eq 124 ] || [ "$status" -eq 152 ]; then
		wrong="took too long and was stopped"
	elif [ "$status" -ge 126 ]; then
		wrong="status $status: a crash, a sanitizer stop or a command that was not found"
	fi
	reports=("$work"/san.*)
	if [ ${#reports[@]} -gt 0 ]; then
		wrong+=${wrong:+$'\n'}"a sanitizer complained"
	fi
}

reports() {
	local f
	for f in "$1"/san.*; do
		head -n 40 "$f"
	done
}

# Jobs.  $1 name, $2 file, $3 work.  Each appends "pass|fail|absent NAME" lines to $work/result and
# what people should see to $work/text.

verdict() {
	printf '%s %s\n' "$1" "$2" >>"$work/result"
}

job_unit() {
	local name=$1 file=$2 work=$3 status line wrong ok=0 bad=0 absent=0
	contained "$work" "$script_seconds" "$file"
	status=$(<"$work/status")
	while IFS= read -r line; do
		case $line in
		'ok '*)
			verdict pass "$name ${line#ok }"
			ok=$((ok + 1))
			;;
		'not ok '*)
			verdict fail "$name ${line#not ok }"
			printf 'not ok %s %s\n' "$name" "${line#not ok }" >>"$work/text"
			bad=$((bad + 1))
			;;
		'not run: '*)
			verdict absent "$name: ${line#not run: }"
			absent=$((absent + 1))
			;;
		esac
	done <"$work/out"
	disaster "$work"
	if [ -z "$wrong" ] && [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
		wrong="status $status"
	elif [ -z "$wrong" ] && [ "$status" -eq 0 ] && [ $((ok + bad + absent)) -eq 0 ]; then
		wrong="printed no result"
	fi
	if [ -n "$wrong" ]; then
		verdict fail "$name"
		printf 'not ok %s: %s\n' "$name" "$wrong" >>"$work/text"
	fi
	if [ -n "$wrong" ] || [ "$bad" -gt 0 ]; then
		{ head -n 60 "$work/err" && reports "$work"; } >>"$work/text"
	fi
}

# Print how the file $2 differs from the golden $1, which may be absent; false when it does.
same() {
	local want=$1 got=$2 what=$3
	if [ ! -f "$want" ]; then
		[ -s "$got" ] || return 0
		want=/dev/null
	fi
	if cmp -s "$want" "$got"; then
		return 0
	fi
	diff -a -u --label "expected $what" --label "$what" "$want" "$got" | head -n 60 | cat -v
	return 1
}

job_cli() {
	local name=$1 file=$2 work=$3 status want=0 wrong left
	contained "$work" "$case_seconds" sh "$file"
	status=$(<"$work/status")
	if [ -f "$file.exit" ]; then
		want=$(<"$file.exit")
	fi
	disaster "$work"
	if [ -z "$wrong" ] && [ "$status" != "$want" ]; then
		wrong="status $status, not $want"
	fi
	left=("$work"/tmp/*)
	if [ -z "$wrong" ] && [ ${#left[@]} -gt 0 ]; then
		wrong="left files in TMPDIR: ${left[*]##*/}"
	fi
	if ! same "$file.stdout" "$work/out" stdout >"$work/diff"; then
		wrong=${wrong:-stdout differs}
	fi
	if ! same "$file.stderr" "$work/err" stderr >>"$work/diff"; then
		wrong=${wrong:-stderr differs}
	fi
	wrong=${wrong//$'\n'/; }
	if [ -z "$wrong" ]; then
		verdict pass "$name"
		return
	fi
	verdict fail "$name"
	{
		printf 'not ok %s: %s\n' "$name" "$wrong"
		cat "$work/diff"
		reports "$work"
	} >>"$work/text"
}

# oracle, fault and lint: a script that judges for itself.
job_script() {
	local name=$1 file=$2 work=$3 status wrong
	contained "$work" "$script_seconds" bash "$file"
	status=$(<"$work/status")
	disaster "$work"
	if [ -z "$wrong" ] && [ "$status" -eq 77 ]; then
		verdict absent "$name: $(cat "$work/out" "$work/err" | tail -n 1)"
		return
	fi
	if [ -z "$wrong" ] && [ "$status" -ne 0 ]; then
		wrong="status $status"
	fi
	if [ -z "$wrong" ]; then
		verdict pass "$name"
		return
	fi
	verdict fail "$name"
	{
		printf 'not ok %s: %s\n' "$name" "$wrong"
		cat "$work/out" "$work/err" | head -n 80 | cat -v
		reports "$work"
	} >>"$work/text"
}

# The parallel part calls this script again, for one test or several.
if [ "${1-}" = --job ]; then
	shift
	# What bash puts there is none of a test's business.
	export -n PWD OLDPWD SHLVL
	for job; do
		IFS=$'\t' read -r kind name file work <<<"$job"
		case $kind in
		unit) job_unit "$name" "$file" "$work" ;;
		cli) job_cli "$name" "$file" "$work" ;;
		accept) contained "$work" "$case_seconds" sh "$file" ;;
		*) job_script "$name" "$file" "$work" ;;
		esac
	done
	exit 0
fi

jobs=$(nproc)
only=${all_groups[*]}
match=
accept=
times=0
effort=100
sample=1,1
threads=
while [ $# -gt 0 ]; do
	case $1 in
	-j | --only | --match | --accept | --times | --effort | --sample | --threads)
		[ $# -ge 2 ] || die "$1 needs a value"
		;;&
	-j) jobs=$2 ;;
	--only) only=${2//,/ } ;;
	--match) match=$2 ;;
	--accept) accept=$2 ;;
	--times) times=$2 ;;
	--effort) effort=$2 ;;
	--sample) sample=$2 ;;
	--threads) threads=$2 ;;
	-h | --help)
		sed -n '/^#!/d; /^# SPDX/d; /^#/!q; s/^# \{0,1\}//p' "$self"
		exit 0
		;;
	-*) die "unknown option $1; see --help" ;;
	*) break ;;
	esac
	shift 2
done
[ $# -gt 0 ] || die "name a build directory; see --help"

builds=()
for b; do
	[ -d "$b" ] || die "$b: no such directory; run make first"
	builds+=("$(cd "$b" && pwd)")
done
for group in $only; do
	case " ${all_groups[*]} sources " in
	*" $group "*) ;;
	*) die "no group $group; choose ${all_groups[*]} sources" ;;
	esac
done

# Absolute, for tests change directory; without links, for the file names in messages to be short.
tmp=$(mktemp -d) || exit 2
tmp=$(cd "$tmp" && pwd -P)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

effort_later=${effort#*,}
effort=${effort%,*}
if [ "$effort_later" = "$effort" ]; then
	effort_later=$(((effort + 4) / 5))
fi
# Where python3 is a script that looks for the one to run (pyenv), that takes half a second each time: look once.
path=$PATH
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
if [ -x "$python" ] && [ "$python" != "$(command -v python3)" ]; then
	path=${python%/*}:$PATH
fi
# The environment that tests of a build see, but for what contained adds, into environment.
use_build() {
	local name tried=$effort
	[ "$1" = "${builds[0]}" ] || tried=$effort_later
	environment=(env -i PATH="$1:$path" TERM=dumb LC_ALL=C TZ=UTC BUILD="$1" BUILDS="${builds[*]}"
		GEN="${GEN:-$1/gen_csv}" TESTDATA="$root/testdata" ROOT="$root" CC="${CC:-gcc}" EFFORT="$tried"
		${shared:+TRACEMILL_SHARED="$shared"})
	for name in LD_LIBRARY_PATH LINT_CLEAN; do
		[ -z "${!name-}" ] || environment+=("$name=${!name}")
	done
}

accept_case() {
	local file=$1 work=$tmp/accept part golden status wrong
	for part in "$file" "$root/tests/cli/$file" "$root/tests/cli/$file.sh"; do
		if [ -f "$part" ]; then
			file=$(cd "$(dirname "$part")" && pwd)/$(basename "$part")
			break
		fi
	done
	case $file in
	"$root"/tests/cli/*/*.sh | "$root"/tests/cli/*/*/*.sh) ;;
	*) die "$1: not a case below tests/cli" ;;
	esac
	[ -f "$file" ] || die "$1: no such case"
	mkdir -p "$work"/{dir,tmp}
	"${environment[@]}" "$self" --job "accept	$1	$file	$work"
	disaster "$work"
	if [ -n "$wrong" ]; then
		cat "$work/err"
		reports "$work"
		die "$1: $wrong; nothing was written"
	fi
	status=$(<"$work/status")
	if [ "$status" -ne 0 ]; then
		echo "$status" >"$work/exit"
	else
		: >"$work/exit"
	fi
	for part in out:stdout err:stderr exit:exit; do
		golden=$file.${part#*:}
		if same "$golden" "$work/${part%%:*}" "$(basename "$golden")"; then
			continue
		fi
		if [ -s "$work/${part%%:*}" ]; then
			cp "$work/${part%%:*}" "$golden"
		else
			rm -f "$golden"
		fi
	done
}

if [ -n "$accept" ]; then
	use_build "${builds[0]}"
	accept_case "$accept"
	exit 0
fi

passed=0
failed=0
absent=0
unheard=()

# run_group GROUP BUILD FILE...: run these tests, print what failed, in order, and one line of summary.
run_group() {
	local group=$1 where=${2#"$root"/} file name n=0 i word rest p=0 f=0 s=0 list=$tmp/list works=() names=() cpu
	local at_a_time=1 clock=$((script_seconds * 10))
	use_build "$2"
	[ "$group" != fault ] && [ "$group" != lint ] || where=once
	# Of small tests one shell goes through several: to start it costs more than many a case.
	if [ "$group" = cli ]; then
		at_a_time=8 clock=$((case_seconds * 20))
	fi
	shift 2
	: >"$list"
	for file; do
		[ -f "$file" ] || continue
		case $group in
		unit)
			if [ ! -x "$file" ] || [[ $(basename "$file") == *.* ]]; then
				continue
			fi
			name=unit/$(basename "$file")
			;;
		*)
			name=${file#"$root"/tests/}
			name=${name%.sh}
			;;
		esac
		[[ $name == *"$match"* ]] || continue
		n=$((n + 1))
		names+=("$name")
		works+=("$tmp/${where//\//_}.$group.$n")
		printf '%s\t%s\t%s\t%s\0' "$group" "$name" "$file" "${works[-1]}" >>"$list"
	done
	if [ "$n" -eq 0 ]; then
		return
	fi
	printf '%s\0' "${works[@]/%//dir}" "${works[@]/%//tmp}" | xargs -0 mkdir -p
	xargs -0 -n "$at_a_time" -P "$jobs" timeout -k 5 "$clock" "${environment[@]}" "$self" --job <"$list"
	for i in "${!works[@]}"; do
		file=${works[i]}
		if [ ! -s "$file/result" ]; then
			printf 'not ok %s: no result: it, or a test before it, was stopped after %d s\n' "${names[i]}" "$clock"
			f=$((f + 1))
			continue
		fi
		while read -r word rest; do
			case $word in
			pass) p=$((p + 1)) ;;
			fail) f=$((f + 1)) ;;
			absent)
				s=$((s + 1))
				unheard+=("$rest")
				printf 'NOT RUN %s\n' "$rest"
				;;
			esac
		done <"$file/result"
		if [ -s "$file/text" ]; then
			cat "$file/text"
		fi
	done
	# CPU seconds, the test: what --times lists.
	for i in "${!works[@]}"; do
		mapfile -t cpu <"${works[i]}/cpu"
		printf '%s %s\n' "${cpu[-1]-0 0}" "${names[i]}"
	done 2>/dev/null | awk -v where="$where" '{ printf "%.2f %s %s\n", $1 + $2, where, $3 }' >>"$tmp/times"
	rm -rf "${works[@]}"
	printf '%s: %s: %d passed, %d failed, %d not run\n' "$where" "$group" "$p" "$f" "$s"
	passed=$((passed + p))
	failed=$((failed + f))
	absent=$((absent + s))
}

wanted() {
	case " $only " in
	*" $1 "*) return 0 ;;
	esac
	return 1
}

# one_in N FILE...: the first and every N-th after it, into some.
one_in() {
	local n=$1 i
	shift
	some=()
	for ((i = 1; i <= $#; i += n)); do
		some+=("${!i}")
	done
}

mapfile -t every_case < <(find "$root/tests/cli" -name '*.sh' | sort)

for b in "${builds[@]}"; do
	if wanted unit; then
		run_group unit "$b" "$b"/unit/test_*
	fi
	[ "$b" = "${builds[0]}" ] && part=1,1 || part=$sample
	if wanted cli; then
		one_in "${part%,*}" "${every_case[@]}"
		run_group cli "$b" "${some[@]}"
	fi
	if wanted oracle; then
		one_in "${part#*,}" "$root"/tests/oracle/*.sh
		run_group oracle "$b" "${some[@]}"
	fi
done
if [ -n "$threads" ]; then
	[ -d "$threads" ] || die "$threads: no such directory; run make first"
	threads=$(cd "$threads" && pwd)
	if wanted unit; then
		run_group unit "$threads" "$threads"/unit/test_*
	fi
	if wanted cli; then
		one_in 12 "${every_case[@]}"
		mapfile -t some < <({
			printf '%s\n' "${some[@]}"
			printf '%s\n' "${every_case[@]}" | grep jobs
		} | sort -u)
		run_group cli "$threads" "${some[@]}"
	fi
fi
if wanted fault; then
	run_group fault "${builds[0]}" "$root"/tests/fault/*.sh
fi
if wanted lint; then
	run_group lint "${builds[0]}" "$root"/tests/lint/*.sh
elif wanted sources; then
	mapfile -t some < <(grep -L BUILD "$root"/tests/lint/*.sh)
	run_group lint "${builds[0]}" "${some[@]}"
fi

if [ "$absent" -gt 0 ]; then
	printf '\n%d tests could not run here:\n' "$absent"
	printf '  %s\n' "${unheard[@]}" | sort -u
fi
if [ "$times" -gt 0 ]; then
	printf '\nCPU seconds of %s, and of the most expensive tests:\n' \
		"$(awk '{ s += $1 } END { printf "all tests: %.0f", s }' "$tmp/times")"
	sort -k1,1nr -k2 "$tmp/times" | head -n "$times" | sed 's/^/  /'
fi
if [ $((passed + failed)) -eq 0 ]; then
	echo "run.sh: nothing ran" >&2
fi
if [ "$absent" -gt 0 ]; then
	printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$absent"
else
	printf '%d passed, %d failed\n' "$passed" "$failed"
fi
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
