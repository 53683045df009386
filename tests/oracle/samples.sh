#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kstats samples against a count of the raw rows: PC samples of the shared and the shipped data, random ones, and thread traces.
# TRACEMILL_SHARED is the folder (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
folders=("$root/testdata")
if [ -d "$shared/data" ]; then
	folders+=("$(cd "$shared/data" && pwd)")
else
	echo "not there: the shared data; only shipped and random samples are compared"
fi
exec python3 -B "$here/samples.py" "${folders[@]}"
