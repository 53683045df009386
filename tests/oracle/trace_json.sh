#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every event of the JSON traces in the shared folder and in testdata against Python's own reading of
# them.  TRACEMILL_SHARED: see shared_csv.sh.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH
shared=${TRACEMILL_SHARED:-$root/../shared}

if ! command -v python3 >/dev/null; then
	echo "not run: no python3"
	exit 77
fi
if [ ! -d "$shared/data" ]; then
	python3 -B "$here/trace_json.py" "$root/testdata" || exit 1
	echo "not run: shared data absent (the samples that ship agree)"
	exit 77
fi
exec python3 -B "$here/trace_json.py" "$root/testdata" "$(cd "$shared/data" && pwd)"
