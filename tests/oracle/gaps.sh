#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kstats gaps and launch beside an independent, naive implementation: on random traces, on the shipped
# files and on real ones; and rows permuted, files split, any -j, a run.db give the same bytes.
# TRACEMILL_SHARED is the folder of real traces (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
python3 -B "$here/gaps.py" "${TESTDATA:-$root/testdata}" "$shared/data" || exit
if [ ! -d "$shared/data" ]; then
	echo "not run: no real traces in $shared/data; the others were good"
	exit 77
fi
