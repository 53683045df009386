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

# One command in its own directory and a known environment.  $1 work, $2 seconds, then the command.
# The limit is of CPU time for each process, so that a busy machine fails nothing; what sleeps for
# good is stopped by the clock, much later.  The CPU time of all of it lands in $work/cpu.
# Leaves out, err and status in $work.  A sanitizer stop is status 134, never 1, and ASan reports
# land in $work/san.*, so that a script which throws stderr away cannot hide them.
# What is freed stays in quarantine for long only in units: it costs fresh pages, half of a tool's time.
# Oracles do not look for leaks, which costs as much again: the cases have run every command before.
contained() {
	local work=$1 seconds=$2
	shift 2
	mkdir -p "$work/dir" "$work/tmp"
	local log=exitcode=134:log_path=$work/san
	local TIMEFORMAT='%U %S' status frugal=
	case ${kind-} in
	cli | fault) frugal=:quarantine_size_mb=1 ;;
	oracle) frugal=:quarantine_size_mb=1:detect_leaks=0 ;;
	esac
	# The redirection keeps bash's own "Killed" to itself; the status says it.
	{ time {
		(
			cd "$work/dir" && ulimit -t "$seconds" &&
				exec timeout -k 5 "$((seconds * 10))" env -i \
					PATH="$BUILD:$PATH" HOME="$work/dir" TMPDIR="$work/tmp" TERM=dumb \
					LC_ALL=C TZ=UTC BUILD="$BUILD" BUILDS="$BUILDS" GEN="$GEN" \
					TESTDATA="$root/testdata" ROOT="$root" CC="${CC:-gcc}" EFFORT="$EFFORT" \
					ASAN_OPTIONS="$log:allocator_may_return_null=1$frugal" \
					LSAN_OPTIONS="$log" TSAN_OPTIONS="$log" MSAN_OPTIONS="$log" \
					UBSAN_OPTIONS="$log:print_stacktrace=1:halt_on_error=1" \
					${LD_LIBRARY_PATH:+LD_LIBRARY_PATH="$LD_LIBRARY_PATH"} \
					${shared:+TRACEMILL_SHARED="$shared"} \
					${LINT_CLEAN:+LINT_CLEAN="$LINT_CLEAN"} \
					"$@" </dev/null >"$work/out" 2>"$work/err"
		)
		status=$?
	}; } 2>"$work/cpu"
	echo "$status" >"$work/status"
}

# What is wrong whatever the test expected, one line each.
disaster() {
	local work=$1 status
	status=$(<"$work/status")
	if [ "$status" -eq 124 ] || [ "$status" -eq 152 ]; then
		echo "took too long and was stopped"
	elif [ "$status" -ge 126 ]; then
		echo "status $status: a crash, a sanitizer stop or a command that was not found"
	fi
	if compgen -G "$work/san.*" >/dev/null; then
		echo "a sanitizer complained"
	fi
}

reports() {
	local f
	for f in "$1"/san.*; do
		if [ -f "$f" ]; then
			head -n 40 "$f"
		fi
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
	wrong=$(disaster "$work")
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
	[ -f "$want" ] || want=/dev/null
	if cmp -s "$want" "$got"; then
		return 0
	fi
	diff -a -u --label "expected $what" --label "$what" "$want" "$got" | head -n 60 | cat -v
	return 1
}

job_cli() {
	local name=$1 file=$2 work=$3 status want=0 wrong
	contained "$work" "$case_seconds" sh "$file"
	status=$(<"$work/status")
	if [ -f "$file.exit" ]; then
		want=$(<"$file.exit")
	fi
	wrong=$(disaster "$work")
	if [ -z "$wrong" ] && [ "$status" != "$want" ]; then
		wrong="status $status, not $want"
	fi
	if [ -z "$wrong" ] && [ -n "$(ls -A "$work/tmp")" ]; then
		wrong="left files in TMPDIR: $(ls -A "$work/tmp")"
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
	wrong=$(disaster "$work")
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

# The parallel part calls this script again, once for each test.
if [ "${1-}" = --job ]; then
	IFS=$'\t' read -r kind name file work <<<"$2"
	mkdir -p "$work"
	case $kind in
	unit) job_unit "$name" "$file" "$work" ;;
	cli) job_cli "$name" "$file" "$work" ;;
	*) job_script "$name" "$file" "$work" ;;
	esac
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

export BUILDS="${builds[*]}"
effort_later=${effort#*,}
effort=${effort%,*}
if [ "$effort_later" = "$effort" ]; then
	effort_later=$(((effort + 4) / 5))
fi
use_build() {
	export BUILD=$1
	export EFFORT=$effort
	[ "$1" = "${builds[0]}" ] || EFFORT=$effort_later
	export GEN=${GEN_FROM_USER:-$1/gen_csv}
}
GEN_FROM_USER=${GEN-}

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
	contained "$work" "$case_seconds" sh "$file"
	wrong=$(disaster "$work")
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

# Run the tests of one group, print what failed, in order, and one line of summary.
run_group() {
	local group=$1 where=$2 file name n=0 word rest p=0 f=0 s=0 list=$tmp/list works=()
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
		works+=("$tmp/${where//\//_}.$group.$n")
		printf '%s\t%s\t%s\t%s\0' "$group" "$name" "$file" "${works[-1]}" >>"$list"
	done
	if [ "$n" -eq 0 ]; then
		return
	fi
	xargs -0 -n 1 -P "$jobs" "$self" --job <"$list"
	for file in "${works[@]}"; do
		if [ ! -s "$file/result" ]; then
			printf 'not ok %s: gave no result\n' "$file"
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
	for file in "${works[@]}"; do
		printf '%s %s\n' "$(tail -n 1 "$file/cpu")" "$(head -n 1 "$file/result")"
	done | awk -v where="$where" '{ printf "%.2f %s %s\n", $1 + $2, where, $4 }' |
		sed 's/:$//' >>"$tmp/times"
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
	use_build "$b"
	where=${b#"$root"/}
	if wanted unit; then
		run_group unit "$where" "$b"/unit/test_*
	fi
	[ "$b" = "${builds[0]}" ] && part=1,1 || part=$sample
	if wanted cli; then
		one_in "${part%,*}" "${every_case[@]}"
		run_group cli "$where" "${some[@]}"
	fi
	if wanted oracle; then
		one_in "${part#*,}" "$root"/tests/oracle/*.sh
		run_group oracle "$where" "${some[@]}"
	fi
done
if [ -n "$threads" ]; then
	[ -d "$threads" ] || die "$threads: no such directory; run make first"
	threads=$(cd "$threads" && pwd)
	use_build "$threads"
	where=${threads#"$root"/}
	if wanted unit; then
		run_group unit "$where" "$threads"/unit/test_*
	fi
	if wanted cli; then
		one_in 12 "${every_case[@]}"
		mapfile -t some < <({
			printf '%s\n' "${some[@]}"
			printf '%s\n' "${every_case[@]}" | grep jobs
		} | sort -u)
		run_group cli "$where" "${some[@]}"
	fi
fi
use_build "${builds[0]}"
if wanted fault; then
	run_group fault once "$root"/tests/fault/*.sh
fi
if wanted lint; then
	run_group lint once "$root"/tests/lint/*.sh
elif wanted sources; then
	mapfile -t some < <(grep -L BUILD "$root"/tests/lint/*.sh)
	run_group lint once "${some[@]}"
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
