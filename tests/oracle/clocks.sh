#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Random jobs on random clocks through tracemerge: is what it says may be left as much as is left?
#     tests/oracle/clocks.sh [CASES [verbose]]      CASES: 200, or what EFFORT leaves of them
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH

if ! command -v python3 >/dev/null; then
	echo "not run: no python3"
	exit 77
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
python3 -B "$here/clocks.py" "$work" "$@"
