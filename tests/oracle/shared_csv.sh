#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every CSV and rocprofv2 text of the shared data: kstats top and an independent reader agree on each
# name's calls, sum, extremes, mean, deviation and quantiles.  Files without events are listed with why.
# TRACEMILL_SHARED is the folder (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
if [ ! -d "$shared/data" ]; then
	echo "not run: shared data absent"
	exit 77
fi
exec python3 -B "$here/shared_csv.py" "$(cd "$shared/data" && pwd)"
