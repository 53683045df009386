#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The NEON row scanner: built for aarch64 and run under qemu-user, its unit test and the replay of its fuzz
# target over what ships, 4 changes of it for each percent of EFFORT.  Each holds it against the scalar scanner
# and csv_row_split.  The other programs need libraries of that machine, which are not here.
set -u
cross=aarch64-linux-gnu-gcc
emulator=$(command -v qemu-aarch64-static || command -v qemu-aarch64)

if ! command -v "$cross" >/dev/null || [ -z "$emulator" ]; then
	echo "not run: no $cross or no qemu-aarch64"
	exit 77
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$ROOT" || exit 2
fail() {
	printf '%s\n' "$*"
	exit 1
}

# What the scanner stands on; of an archive the linker takes what is called.
mapfile -t sources < <(find libanalyze/base libanalyze/model -name '*.c' &&
	find libanalyze/read -name 'scan_*.c' -o -name csv_row.c)
# An emulator is slow: one in 16 of the random tables.
flags=(-std=c11 -D_GNU_SOURCE -DNO_LIBCSV -DPART=16 -O2 -Wall -Wextra -Werror -Ilibanalyze -I.)
for c in "${sources[@]}"; do
	"$cross" "${flags[@]}" -c -o "$work/${c//\//_}.o" "$c" || fail "$c does not compile for aarch64"
done
ar rcs "$work/scan.a" "$work"/*.o || exit 2
for program in unit/test_scan fuzz/fuzz_scan; do
	"$cross" "${flags[@]}" -DFUZZ_REPLAY -static -o "$work/${program##*/}" "tests/$program.c" "$work/scan.a" -lm ||
		fail "$program does not link for aarch64"
done

cd "$work" || exit 2
"$emulator" ./test_scan >said 2>&1 || fail "test_scan: $(tail -n 20 said)"
echo "test_scan: $(grep -c '^ok ' said) passed"
"$emulator" ./fuzz_scan --mutate "$((20 * ${EFFORT:-100}))" "$TESTDATA" "$ROOT/tests/fuzz/regressions" >said 2>&1 ||
	fail "fuzz_scan: $(tail -n 20 said)"
tail -n 1 said
