#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Work that kstats roofline takes from counters against the raw rows of every file of counters in the shared and the shipped data, and of
# random ones; also from run.db.
# TRACEMILL_SHARED is the folder (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
folders=("$root/testdata")
if [ -d "$shared/data" ]; then
	folders+=("$(cd "$shared/data" && pwd)")
else
	echo "not there: the shared data; only shipped and random counters are compared"
fi
exec python3 -B "$here/roofline_counters.py" "${folders[@]}"
