#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The filters of every tool against the rules applied to the rows of tracecat: see filters.py.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH

if ! command -v python3 >/dev/null; then
	echo "not run: no python3"
	exit 77
fi
exec python3 -B "$here/filters.py" "$root/testdata"
