#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Unit tests with the memory sanitizer (bytes that nobody wrote):  memory.sh MAKE
# The libraries of the system are not built for it, so these are the rooms that call none of them: base, model,
# agg and render.  The rest is seen by valgrind (tests/fault/valgrind.sh).
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

make=${1:-make}
flags=(CC=clang "CFLAGS=-O1 -g -fsanitize-memory-track-origins" SANITIZE=memory)
# shellcheck disable=SC2086 # MAKE may be two words
dir=$($make -s --no-print-directory "${flags[@]}" where) || exit 1
objects=()
for file in libanalyze/{base,model,agg,render}/*.c; do
	objects+=("$dir/${file%.c}.o")
done
objects+=("$dir/gen/kernel_classes.o")
units=()
for file in tests/unit/test_*.c; do
	# libiberty writes the names that demangle() gives.
	if ! grep -h '#include "' "$file" | grep -qvE '"(base|model|agg|render)/|"([a-z/]*/)?test\.h"' &&
		! grep -q 'demangle\|kernel_name\|kernel_class' "$file"; then
		units+=("$(basename "$file" .c)")
	fi
done
mapfile -t tests < <(printf "$dir/tests/unit/%s.o\n" "${units[@]}")
# shellcheck disable=SC2086
$make -s --no-print-directory "${flags[@]}" "${objects[@]}" "${tests[@]}" || exit 1
rm -f "$dir/memory.a"
ar rcs "$dir/memory.a" "${objects[@]}" || exit 1

bad=0
mkdir -p "$dir/unit"
for unit in "${units[@]}"; do
	if ! clang -fsanitize=memory -o "$dir/unit/$unit" "$dir/tests/unit/$unit.o" "$dir/memory.a" -liberty -lm -lpthread ||
		! MSAN_OPTIONS=exitcode=134 TESTDATA=$PWD/testdata ROOT=$PWD "$dir/unit/$unit" >"$dir/$unit.log" 2>&1; then
		bad=$((bad + 1))
		echo "not ok $unit with the memory sanitizer:"
		grep -v '^ok ' "$dir/$unit.log" | head -n 20
	fi
done
echo "memory sanitizer: ${#units[@]} unit tests, $bad failed"
[ "$bad" -eq 0 ] && [ ${#units[@]} -gt 0 ]
