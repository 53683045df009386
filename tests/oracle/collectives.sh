#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Real communication: who is late among four ranks of a job, and bus bandwidth by size as rccl-tests printed it.
# TRACEMILL_SHARED is the folder of the traces (default: ../shared beside the checkout).
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH
shared=${TRACEMILL_SHARED:-$root/../shared}

if ! command -v python3 >/dev/null; then
	echo "not run: no python3"
	exit 77
fi
if [ ! -d "$shared/data" ]; then
	echo "not run: no real traces in $shared"
	exit 77
fi
exec python3 -B "$here/collectives.py" "$(cd "$shared/data" && pwd)"
