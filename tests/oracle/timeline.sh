#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kstats timeline, classes, gemm and efficiency against an independent computation from the events that tracecat
# prints: of every trace of the shared and the shipped data, and of random ones in every arrangement.
# TRACEMILL_SHARED is the folder (default: ../shared beside the checkout).
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH
shared=${TRACEMILL_SHARED:-$root/../shared}

if ! command -v python3 >/dev/null; then
	echo "not run: no python3"
	exit 77
fi
folders=("$root/testdata")
if [ -d "$shared/data" ]; then
	folders+=("$(cd "$shared/data" && pwd)")
else
	echo "not there: the shared data; only shipped and random traces are compared"
fi
exec python3 -B "$here/timeline.py" "${folders[@]}"
