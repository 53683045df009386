#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Where a run has both a trace and statistics: kstats top of the trace says what the producer says,
# and both together are the trace alone, with a note.  TRACEMILL_SHARED: see shared_csv.sh.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
if [ ! -d "$shared/data" ]; then
	echo "not run: shared data absent"
	exit 77
fi
exec python3 -B "$here/stats_vs_trace.py" "$(cd "$shared/data" && pwd)"
