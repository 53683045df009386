#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every event of the JSON traces in the shared folder and in testdata against Python's own reading of
# them.  TRACEMILL_SHARED: see shared_csv.sh.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
if [ ! -d "$shared/data" ]; then
	python3 -B "$here/trace_json.py" "$root/testdata" || exit 1
	echo "not run: shared data absent (the samples that ship agree)"
	exit 77
fi
exec python3 -B "$here/trace_json.py" "$root/testdata" "$(cd "$shared/data" && pwd)"
