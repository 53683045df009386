#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kstats roofline against formulas written again: random traces of torch.profiler, those of the shared and the shipped data, the
# table of peaks, also from run.db.
# TRACEMILL_SHARED is the folder (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
folders=("$root/testdata/kineto")
if [ -d "$shared/data" ]; then
	folders+=("$(cd "$shared/data" && pwd)")
else
	echo "not there: the shared data; only shipped and random traces are compared"
fi
exec python3 -B "$here/roofline.py" "${folders[@]}"
