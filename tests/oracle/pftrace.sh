#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every event of the Perfetto traces in the shared folder against the truth files beside them; where a
# run exists as pftrace and as CSV, kstats top of either.  TRACEMILL_SHARED: see shared_csv.sh.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
if [ ! -d "$shared/data" ]; then
	echo "not run: shared data absent"
	exit 77
fi
exec python3 -B "$here/pftrace.py" "$(cd "$shared/data" && pwd)"
