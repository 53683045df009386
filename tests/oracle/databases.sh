#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every rocpd, rpd and rocprof v1 database of the shared and the shipped data: the events of tracecat are
# those that plain SQL over the tables finds, and kstats top adds them up to the same sums; ranks of one
# job merge to the sum of its parts.  TRACEMILL_SHARED: see shared_csv.sh.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
folders=("$root/testdata")
if [ -d "$shared/data" ]; then
	folders+=("$(cd "$shared/data" && pwd)")
else
	echo "shared data absent: only what ships is compared"
fi
exec python3 -B "$here/databases.py" "${folders[@]}"
