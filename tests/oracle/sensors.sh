#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sensors in traces and the energy of what ran against sqlite3 and fractions, on made traces and on the shared ones.
# TRACEMILL_SHARED is the folder of shared data (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
if [ ! -d "$shared/data/real" ]; then
	python3 -B "$here/sensors.py" || exit
	echo "not run: no traces in $shared/data/real; made ones were good"
	exit 77
fi
exec python3 -B "$here/sensors.py" "$shared"
