#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Calls in logs of RCCL beside one strict expression over their lines, on shipped and on real logs.
# TRACEMILL_SHARED is the folder of real traces (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
python3 -B "$here/rccl_log.py" "${TESTDATA:-$root/testdata}/rccl/2.18" || exit
if [ ! -d "$shared/data" ]; then
	echo "not run: no real traces in $shared/data; the others were good"
	exit 77
fi
python3 -B "$here/rccl_log.py" "$shared/data"
