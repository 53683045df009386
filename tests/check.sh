#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `make check` runs: every build that must be clean, then every test.
#
#   tests/check.sh MAKE
#
# gcc plain (what people install), clang with address and undefined-behaviour sanitisers, and clang
# plain and gcc with sanitisers only as far as they must compile without a warning.  The last line
# is "N passed, N failed".
set -eu

make=${1:-make}
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The build directory for a set of knobs.
# shellcheck disable=SC2016 # make expands it
dir_of() {
	printf 'include Makefile\nwhere: ; @echo $(B)\n' | "$make" -s --no-print-directory -f - "$@" where
}

# -Werror here only: a newer compiler must not stop people from building.
plain=(CC=gcc CFLAGS='-O3 -g -Werror')
# shellcheck disable=SC2054 # the comma is the sanitiser list's
tested=(CC=clang CFLAGS='-O1 -g -Werror' SANITIZE=address,undefined)
clean=(CC=clang CFLAGS='-O2 -Werror')

jobs=$(nproc)
echo "building: gcc; clang with address,undefined; clang"
"$make" -s --no-print-directory -j"$jobs" "${plain[@]}" tools units replays gen
"$make" -s --no-print-directory -j"$jobs" "${tested[@]}" tools units replays gen
"$make" -s --no-print-directory -j"$jobs" "${clean[@]}" units tools

exec tests/run.sh "$(dir_of "${plain[@]}")" "$(dir_of "${tested[@]}")"
