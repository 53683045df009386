#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kstats regions, its steps and kstats ranks against an independent computation from the events that tracecat
# prints: of every trace of the shared and the shipped data, and of random ones in every arrangement.
# TRACEMILL_SHARED is the folder (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
folders=("$root/testdata")
if [ -d "$shared/data" ]; then
	folders+=("$(cd "$shared/data" && pwd)")
else
	echo "not there: the shared data; only shipped and random traces are compared"
fi
exec python3 -B "$here/regions.py" "${folders[@]}"
