#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Four ranks whose clocks are known to be apart, aligned by tracemerge: back together within what it
# says may be left; in one step and in two; and where it is not possible, so is said.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
make_work
if [ ! -d "${TRACEMILL_SHARED:-$root/../shared}/data" ]; then
	echo "NOT COMPARED: the traces of ../shared, which is not there"
fi
exec python3 -B "$here/align.py" "$work" "${TRACEMILL_SHARED:-$root/../shared}/data"
