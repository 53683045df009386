#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Calls of GPU libraries beside madengine's own expressions: libperf_trace.py says on what.
# TRACEMILL_SHARED is the folder of real traces (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
if [ ! -d "$shared/data/libraries" ]; then
	python3 -B "$here/libperf_trace.py" || exit
	echo "not run: no real logs in $shared/data/libraries; the others were good"
	exit 77
fi
python3 -B "$here/libperf_trace.py" "$shared/data/libraries"
