#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kstats occupancy against a simulation that places waves one by one: random launches on every architecture, and every trace of the
# shared and the shipped data, also from run.db.
# TRACEMILL_SHARED is the folder (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
folders=("$root/testdata")
if [ -d "$shared/data" ]; then
	folders+=("$(cd "$shared/data" && pwd)")
else
	echo "not there: the shared data; only shipped and random traces are compared"
fi
exec python3 -B "$here/occupancy.py" "${folders[@]}"
