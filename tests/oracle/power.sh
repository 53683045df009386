#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Energy, mean and quantiles of readings worked out in fractions by other code, on shipped files, random ones and the
# synthetic ones of the shared folder; and the energy of kernel classes, slice by slice.
# TRACEMILL_SHARED is the folder of shared data (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
python3 -B "$here/power.py" "${TESTDATA:-$root/testdata}/madengine" || exit
if [ ! -d "$shared/data/libraries/synthetic" ]; then
	echo "not run: no samples in $shared/data/libraries/synthetic; the others were good"
	exit 77
fi
python3 -B "$here/power.py" "$shared/data/libraries/synthetic"
