#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `make check` runs: every build that must be clean, then every test.
#
#   tests/check.sh MAKE
#
# gcc plain (what people install), gcc with address and undefined-behavior sanitizers (clang takes 38 %
# longer to build these), and clang with the thread sanitizer for the units that have threads and a sample of
# cases.  What has random cases or goes through many inputs tries a part of them here, always the same one, and
# of the cases and oracles every fourth and sixth with sanitizers; make fuzz tries all.
# The last line is "N passed, N failed".
set -eu

make=${1:-make}
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The build directory for a set of knobs.
dir_of() {
	"$make" -s --no-print-directory "$@" where
}

# -Werror here only: a newer compiler must not stop people from building.
plain=(CC=gcc CFLAGS='-O3 -Werror')
# What is undefined traps instead of calling the reporter, whose description of every place is 10 MB of data in each
# tool: half of what a start costs, as the search for leaks goes through it.  AddressSanitizer reports the trap, with
# file and line.  Without the reporter nothing needs its library.
# shellcheck disable=SC2054 # the comma is the sanitizer list's
tested=(CC=gcc CFLAGS='-O1 -g1 -Werror -fsanitize-undefined-trap-on-error' SANITIZE=address,undefined
	LDFLAGS='-no-pie -Wl,--as-needed')
threads=(CC=clang CFLAGS='-O1 -g1 -Werror' SANITIZE=thread)

jobs=$(nproc)
echo "building: gcc; gcc with address,undefined; clang with thread"
"$make" -s --no-print-directory -j"$jobs" "${plain[@]}" tools units replays ranges gen benches
"$make" -s --no-print-directory -j"$jobs" "${tested[@]}" tools units replays faulty ranges gen
"$make" -s --no-print-directory -j"$jobs" "${threads[@]}" tools gen "$(dir_of "${threads[@]}")"/unit/test_{drive,threads}

exec tests/run.sh --effort 7,2 --sample 4,6 --times 12 --threads "$(dir_of "${threads[@]}")" \
	"$(dir_of "${plain[@]}")" "$(dir_of "${tested[@]}")"
