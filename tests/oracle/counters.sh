#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kstats counters against SQL over the raw rows of every file of counters in the shared and the shipped data, and the laws.
# TRACEMILL_SHARED is the folder (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
folders=("$root/testdata")
if [ -d "$shared/data" ]; then
	folders+=("$(cd "$shared/data" && pwd)")
else
	echo "not there: the shared data; only shipped and random counters are compared"
fi
exec python3 -B "$here/counters.py" "${folders[@]}"
