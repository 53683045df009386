#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The recipes of docs/ci.md are taken out of it and run, with stand-ins for the profiler, gh and curl.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
doc=$PWD/docs/ci.md
tools=$(cd "${BUILD:-build/bin}" && pwd)

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
mkdir -p bin ci

# fence LANGUAGE N: the N-th block of that language
fence() {
	awk -v language="$1" -v n="$2" '
		$0 == "```" language { inside = ++k == n; next }
		$0 == "```" { inside = 0 }
		inside' "$doc"
}

# scripts N: the N-th block of lines below "run: |" or "- |", or between three quotes, of the file on stdin
scripts() {
	awk -v n="$1" '
		function depth(s) { match(s, /^ */); return RLENGTH }
		/(run:|-) \|$/ { inside = ++k == n; at = depth($0); next }
		/'"'''"'$/ { if (quoted) { quoted = inside = 0 } else { quoted = 1; inside = ++k == n; at = 0 } next }
		inside && NF && depth($0) <= at && !quoted { inside = 0 }
		inside'
}

fence sh 1 >ci/perf.sh
fence rules 1 >ci/perf.rules
fence rules 2 >ci/main.rules
fence yaml 1 >github.yml
fence yaml 2 >gitlab.yml
fence groovy 1 >Jenkinsfile
fence make 1 >Makefile

# A program of one product, 25 microseconds long or what $LONG says, and 20 short kernels; calls that launch them.
cat >bin/rocprofv3 <<'END'
#!/bin/sh
while [ "$1" != -d ]; do shift; done
mkdir -p "$2"
awk -v long="${LONG:-25000}" -v cut="${CUT:-}" -v agents="${AGENTS:-1}" -v dir="$2" 'BEGIN {
	k = dir "/app_kernel_trace.csv"; h = dir "/app_hip_api_trace.csv"
	print "Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >k
	print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >h
	t = 100000
	for (i = 1; i <= 21; i++) {
		d = i == 1 ? long : 5000
		printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", i, i * 1000, i * 1000 + 900 >h
		if (cut && i == 21)
			printf "KERNEL_DISP" >k
		else
			printf "KERNEL_DISPATCH,Agent %d,%s,%d,%d,%d\n", i % agents + 1, i == 1 ? "gemm_f16" : "vecAdd", i, t, t + d >k
		t += d + 10
	}
}'
END
cat >bin/gh <<'END'
#!/bin/sh
echo "gh $*" >>"$LOG"
case "$1 $2" in
"run list") [ ! -f "$GREEN" ] || echo 77 ;;
"run download") mkdir -p main && cp "$GREEN" main/run.db ;;
"pr comment") cat "${7}" >>"$LOG" ;;
esac
END
cat >bin/curl <<'END'
#!/bin/sh
echo "curl $*" >>"$LOG"
while [ $# -gt 0 ]; do
	case $1 in
	-o) [ -f "$GREEN" ] && cp "$GREEN" "$2" || exit 22 ;;
	body@*) cat "${1#body@}" >>"$LOG" ;;
	esac
	shift
done
END
chmod +x bin/*
export PATH=$tmp/bin:$tools:$PATH LC_ALL=C LOG=$tmp/log GREEN=$tmp/green.db
unset MAKEFLAGS MFLAGS MAKELEVEL

found=
# expect WHAT STATUS GOT WORD: the status, and the word in what the script left
expect() {
	local word
	word=$(sed -n 's/^verdict: \([a-z]*\) .*/\1/p' out/check.txt 2>/dev/null)
	if [ "$2" != "$3" ] || [ "$word" != "$4" ]; then
		found+="$1: status $3 and '$word' instead of $2 and '$4'"$'\n'"$(cat out/check.txt said 2>/dev/null)"$'\n'
	fi
}
# has WHAT FILE TEXT
has() {
	if ! grep -qF -- "$3" "$2" 2>/dev/null; then
		found+="$1: no '$3' in ${2##*/}: $(head -c 1500 "$2" 2>/dev/null)"$'\n'
	fi
}

# A CI that runs one after the other, as -e and pipefail have it; a new checkout each time.
github() {
	rm -rf main out summary log
	export GITHUB_STEP_SUMMARY=$tmp/summary PULL_REQUEST=12
	scripts 1 <github.yml >one.sh
	scripts 2 <github.yml >two.sh
	scripts 3 <github.yml >three.sh
	bash -e one.sh >said 2>&1 && bash -e two.sh >said 2>&1
	status=$?
	bash -e three.sh >>said 2>&1 || found+="github: the posting step fails: $(cat said)"$'\n'
}
gitlab() {
	rm -rf main out log
	export CI_JOB_TOKEN=t CI_API_V4_URL=https://gitlab.example/api/v4 CI_PROJECT_ID=3 CI_DEFAULT_BRANCH=main \
		CI_MERGE_REQUEST_IID=5 PERF_TOKEN=s
	{
		scripts 1 <gitlab.yml
		scripts 2 <gitlab.yml
	} >one.sh
	scripts 3 <gitlab.yml >two.sh
	bash -e one.sh >said 2>&1
	status=$?
	bash two.sh >>said 2>&1
}
jenkins() {
	rm -rf main out
	# What copyArtifacts does.
	if [ -f "$GREEN" ]; then mkdir main && cp "$GREEN" main/run.db; fi
	scripts 1 <Jenkinsfile >one.sh
	sh -e one.sh >said 2>&1
	status=$?
}
plain() {
	rm -rf main out
	if [ -f "$GREEN" ]; then mkdir main && cp "$GREEN" main/run.db; fi
	make perf >said 2>&1
	status=$?
}

for system in github gitlab jenkins plain; do
	fail=1 bad=2
	if [ "$system" = plain ]; then fail=2; fi
	rm -f "$GREEN"
	# The first run of all: nothing to compare with.
	$system
	expect "$system, first" 0 "$status" pass
	if [ "$(sed -n 's/^.* rules=\([0-9]*\).*/\1/p' out/check.txt)" != 3 ]; then
		found+="$system, first: not the 3 rules without a baseline"$'\n'
	fi
	cp out/run.db "$GREEN"
	LONG=25500 $system
	expect "$system, as before" 0 "$status" pass
	LONG=39000 $system
	expect "$system, slower" "$fail" "$status" fail
	has "$system, slower" out/check.xml '<failure message="39 us, not &lt;= 26.75 us (baseline 25 us): gemm_f16" type="fail">'
	has "$system, slower" out/check.md 'fail: 3 of 6 rules failed'
	has "$system, slower" out/quality.json '"path":"ci/main.rules","lines":{"begin":3}'
	has "$system, slower" out/diff.md 'verdict: '
	case $system in
	github)
		has "$system" said '::error file=ci/main.rules,line=3,'
		has "$system" summary 'tracecheck: fail'
		has "$system" log 'gh run download 77 --name perf --dir main'
		has "$system" log 'gh pr comment 12 --edit-last --create-if-none --body-file out/check.md'
		has "$system" log '<!-- tracemill:tracecheck -->'
		;;
	gitlab)
		has "$system" log 'projects/3/jobs/artifacts/main/raw/out/run.db?job=perf'
		has "$system" log 'merge_requests/5/notes'
		has "$system" log '<!-- tracemill:tracecheck -->'
		;;
	plain) has "$system" said 'verdict: fail ' ;;
	esac
	AGENTS=2 $system
	expect "$system, other GPUs" $bad "$status" inconclusive
	has "$system, other GPUs" out/check.md 'cannot be compared: 2 GPUs busy here'
	LONG=25001 CUT=1 $system
	if [ "$status" = 0 ]; then found+="$system: a cut trace passes"$'\n'; fi
done
make perf-accept >said 2>&1 && [ -f main/run.db ] || found+="make perf-accept: $(cat said)"$'\n'

if [ -n "$found" ]; then
	printf '%s\n' "$found"
	exit 1
fi
