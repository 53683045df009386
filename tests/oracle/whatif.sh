#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kstats whatif and kstats path against a simulated machine whose causes are known (simulate.py, programs.py),
# and the laws of the replay on every trace of the shared and the shipped data and on random ones.
# TRACEMILL_SHARED is the folder (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
folders=("$root/testdata")
if [ -d "$shared/data" ]; then
	folders+=("$(cd "$shared/data" && pwd)")
else
	echo "not there: the shared data; only shipped and random traces are compared"
fi
exec python3 -B "$here/whatif.py" "${folders[@]}"
