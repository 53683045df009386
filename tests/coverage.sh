#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Which lines and branches of libanalyze the tests run:  coverage.sh MAKE
# A build of its own (clang, -fcoverage-mapping), the groups unit, cli, oracle and fault with the effort that
# make check has, single faults with more, and a table: a row for each room, then the files that are below the aim.  The lines nobody ran
# are in build/coverage/lines.txt.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

make=${1:-make}
out=$PWD/build/coverage
groups=${GROUPS_RUN:-unit,cli,oracle,fault}
flags=(CC=clang "CFLAGS=-O1 -g -fcoverage-mapping -fprofile-instr-generate=$out/%4m.profraw")

mkdir -p "$out"
rm -f "$out"/*.profraw
# shellcheck disable=SC2086 # MAKE may be two words
$make -s --no-print-directory -j"$(nproc)" "${flags[@]}" tools units replays gen || exit 1
# shellcheck disable=SC2086
build=$($make -s --no-print-directory "${flags[@]}" where)

# What fails here fails in make check, which says more.
tests/run.sh --only "$groups" --effort "${EFFORT:-25}" "$build" >"$out/tests.log" 2>&1
tail -n 1 "$out/tests.log"
# What is left is what happens when memory runs out, or a call fails: more of those than make check has time for.
if [[ ,$groups, == *,fault,* ]]; then
	tests/run.sh --only fault --match fault/each --effort 99 "$build" >>"$out/tests.log" 2>&1
fi

objects=()
for file in "$build"/kstats "$build"/tracecat "$build"/tracemerge "$build"/libperf "$build"/powerstats "$build"/tracediff "$build"/tracecheck "$build"/tracereport \
	"$build"/unit/test_* "$build"/fuzz/*; do
	if [ -f "$file" ] && [ -x "$file" ] && [[ $file != *.[od] ]]; then
		objects+=(-object "$file")
	fi
done
llvm-profdata merge -sparse -o "$out/all.profdata" "$out"/*.profraw 2>"$out/merge.log" || {
	tail "$out/merge.log"
	exit 1
}
llvm-cov export "${objects[@]:1:1}" "${objects[@]:2}" -instr-profile "$out/all.profdata" -format lcov \
	-ignore-filename-regex='(^|/)(build|tests|cmd)/' >"$out/all.lcov" 2>"$out/export.log" || {
	tail "$out/export.log"
	exit 1
}
python3 -B tests/coverage.py "$out/all.lcov" >"$out/table.md"
python3 -B tests/coverage.py --lines "$out/all.lcov" >"$out/lines.txt"
cat "$out/table.md"
