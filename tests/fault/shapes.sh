#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a row costs does not depend on how many there are of anything: shapes.py has the table.
#   shapes.sh [--table|--sweep [N] [KEY ...]]
set -u
ROOT=${ROOT:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
PATH=${BUILD:-$ROOT/build/bin}:$PATH

if ! command -v python3 >/dev/null; then
	echo "not run: no python3"
	exit 77
fi
if grep -qaE '__(asan|tsan|msan)_init|__ubsan_handle' "${BUILD:-$ROOT/build/bin}/kstats"; then
	echo "a build with sanitizers costs what it likes; name a plain one first"
	exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
python3 -B "$ROOT/tests/fault/shapes.py" "$work" "$@"
