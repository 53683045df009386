#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Real communication: who is late among four ranks of a job, and bus bandwidth by size as rccl-tests printed it.
# TRACEMILL_SHARED is the folder of the traces (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
if [ ! -d "$shared/data" ]; then
	echo "not run: no real traces in $shared"
	exit 77
fi
exec python3 -B "$here/collectives.py" "$(cd "$shared/data" && pwd)"
