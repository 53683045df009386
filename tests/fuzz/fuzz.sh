#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Search for inputs that break a reader:  fuzz.sh MAKE SECONDS
# Every target runs that long under libFuzzer with ASan and UBSan, two at a time, from small pieces of testdata/,
# the regressions and, where they are, the real traces of ../shared (seeds.py).  What is found, and the corpus
# that finds more next time, stay in build/fuzz/.  Then the sweeps that make check takes a sample of.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

make=${1:-make}
seconds=${2:-60}
flags=(CC=clang "SANITIZE=fuzzer,address,undefined" "CFLAGS=-O2 -g" FUZZ_MAIN=)

if ! command -v clang >/dev/null; then
	echo "fuzz: clang is needed (libFuzzer comes with it)" >&2
	exit 1
fi
# shellcheck disable=SC2086 # MAKE may be two words
key=$($make -pn "${flags[@]}" 2>/dev/null | sed -n 's/^KEY := //p')
bin=build/$key/fuzz
mapfile -t formats < <(sed -n 's/^FORMAT(\([a-z0-9_]*\),.*/\1/p' libanalyze/read/formats.def)
targets=("${formats[@]}" scan json power problem lib_log lib_bench html state)
# shellcheck disable=SC2086
$make -s "${flags[@]}" "${targets[@]/#/$bin/}" || exit 1

out=build/fuzz
mkdir -p "$out"
from=(testdata tests/fuzz/regressions)
shared=${TRACEMILL_SHARED:-../shared}
if [ -d "$shared/data" ]; then
	from+=("$shared/data")
else
	echo "no real traces in $shared: seeds are what ships alone"
fi
rm -rf "$out/seeds"
python3 -B tests/fuzz/seeds.py "$out/seeds" "${from[@]}" || exit 1

# One target, its messages in a file of its own.
search() {
	local t=$1 dict=tests/fuzz/dict/$1.dict
	[ -f "$dict" ] || dict=tests/fuzz/dict/csv.dict
	mkdir -p "$out/corpus/$t"
	"$bin/$t" -max_total_time="$seconds" -max_len=32768 -timeout=10 -rss_limit_mb=2048 \
		-dict="$dict" -artifact_prefix="$out/$t-" -print_final_stats=1 \
		"$out/corpus/$t" "$out/seeds" >"$out/$t.log" 2>&1
	echo $? >"$out/$t.status"
}

for ((i = 0; i < ${#targets[@]}; i += 2)); do
	for t in "${targets[@]:i:2}"; do
		search "$t" &
	done
	wait
done

bad=0
# Cut inputs are nothing a sanitizer sees: every place of every last line, as built for users.
# shellcheck disable=SC2086
if ! $make -s tools || ! tests/oracle/cuts.sh full >"$out/cuts.log"; then
	bad=1
	echo "not ok cuts: see $out/cuts.log"
fi
# Every call that can fail, on the tools as they are built for users and, its own calls, with sanitizers.
# shellcheck disable=SC2054 # the comma is the sanitizer list's
tested=(CC=clang 'CFLAGS=-O1 -g -Werror' SANITIZE=address,undefined LDFLAGS=-no-pie)
# shellcheck disable=SC2086
if ! $make -s "${tested[@]}" tools faulty; then
	bad=1
elif ! tests/run.sh --only fault --effort 100,100 "$($make -s where)" "$($make -s "${tested[@]}" where)" >"$out/fault.log" 2>&1; then
	bad=1
	echo "not ok faults: see $out/fault.log"
fi
# All cases and oracles with sanitizers; make check tries a part.
# shellcheck disable=SC2086
if ! $make -s "${tested[@]}" tools units ranges gen ||
	! tests/run.sh --only cli,oracle --effort 25 "$($make -s "${tested[@]}" where)" >"$out/tests.log" 2>&1; then
	bad=1
	echo "not ok tests with sanitizers: see $out/tests.log"
fi
# shellcheck disable=SC2086
if ! HOSTILE_SECONDS=60 python3 -B tests/fuzz/hostile_programs.py "$($make -s "${tested[@]}" where)" 1 2000 >"$out/programs.log" 2>&1; then
	bad=1
	echo "not ok programs: see $out/programs.log"
fi
tests/fuzz/memory.sh "$make" >"$out/memory.log" 2>&1 || bad=1
tail -n 1 "$out/memory.log"
for t in "${targets[@]}"; do
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$t.log")
	if [ "$(<"$out/$t.status")" = 0 ]; then
		echo "ok $t: ${runs:-?} inputs"
		continue
	fi
	bad=1
	echo "not ok $t: see $out/$t.log; the input is"
	sed -n 's/^.*Test unit written to /    /p' "$out/$t.log"
done
exit $bad
