#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# libperf bench, compare and best against an independent reading of the same files: every value row of the shared and
# the shipped output of bench clients, its rate against its problem, and the comparison of random measurements.
# TRACEMILL_SHARED is the folder (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
folders=("$root/testdata")
if [ -d "$shared/data" ]; then
	folders+=("$(cd "$shared/data" && pwd)")
else
	echo "not there: the shared data; only shipped and random measurements are compared"
fi
exec python3 -B "$here/libperf_bench.py" "${folders[@]}"
