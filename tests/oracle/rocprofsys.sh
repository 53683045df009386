#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tables of rocprof-sys added up a second time, in decimals: calls, sums and extremes of every function; shipped,
# real and random ones.
# TRACEMILL_SHARED is the folder of real traces (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
python3 -B "$here/rocprofsys.py" "${TESTDATA:-$root/testdata}" || exit
if [ ! -d "$shared/data" ]; then
	echo "not run: no real traces in $shared/data; the others were good"
	exit 77
fi
python3 -B "$here/rocprofsys.py" "$(cd "$shared/data" && pwd)"
