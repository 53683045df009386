#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every event of the Perfetto traces in the shared folder against the truth files beside them; where a
# run exists as pftrace and as CSV, kstats top of either.  TRACEMILL_SHARED: see shared_csv.sh.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH
shared=${TRACEMILL_SHARED:-$root/../shared}

if [ ! -d "$shared/data" ]; then
	echo "not run: shared data absent"
	exit 77
fi
if ! command -v python3 >/dev/null; then
	echo "not run: no python3"
	exit 77
fi
exec python3 -B "$here/pftrace.py" "$(cd "$shared/data" && pwd)"
