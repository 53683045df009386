#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kstats path: the name of every gap of the host is that of the innermost region, operator or function of Python that was
# open in its middle, told from the rows of tracecat.  TRACEMILL_SHARED is the folder of real traces (default: ../shared
# beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
folders=("$root/testdata")
if [ -d "$shared/data" ]; then
	folders+=("$(cd "$shared/data" && pwd)")
else
	echo "not there: the shared data; only shipped traces are compared"
fi
exec python3 -B "$here/gap_names.py" "${folders[@]}"
