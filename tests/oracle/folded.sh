#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Folded stacks of every trace of the shared and the shipped data: their sums are those of kstats top and ops,
# and the bytes the same in every arrangement.
# TRACEMILL_SHARED is the folder (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
folders=("$root/testdata")
if [ -d "$shared/data" ]; then
	folders+=("$(cd "$shared/data" && pwd)")
else
	echo "not there: the shared data; only shipped traces are compared"
fi
exec python3 -B "$here/folded.py" "${folders[@]}"
