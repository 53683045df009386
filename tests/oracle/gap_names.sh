#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kstats path: the name of every gap of the host is that of the innermost region, operator or function of Python that was
# open in its middle, told from the rows of tracecat.  TRACEMILL_SHARED is the folder of real traces (default: ../shared
# beside the checkout).
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
	echo "not there: the shared data; only shipped traces are compared"
fi
exec python3 -B "$here/gap_names.py" "${folders[@]}"
