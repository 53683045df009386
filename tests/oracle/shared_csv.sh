#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every CSV and rocprofv2 text of the shared data: kstats top and an independent reader agree on each
# name's calls, sum, extremes, mean, deviation and quantiles.  Files without events are listed with why.
# TRACEMILL_SHARED is the folder (default: ../shared beside the checkout).
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
exec python3 -B "$here/shared_csv.py" "$(cd "$shared/data" && pwd)"
