#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tracecheck against the same rules judged from what kstats prints.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH

if ! command -v python3 >/dev/null; then
	echo "not run: no python3"
	exit 77
fi
exec python3 -B "$here/tracecheck.py" "${1:-$root/testdata}"
