#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tables of counters: every dispatch and every counter of real ones (some of them; "tables.sh all": all) and of
# random ones, of any width, with fractions, joined rows and whatever stands before a header, beside a
# second reader.  TRACEMILL_SHARED is the folder of the real ones (default: ../shared beside the checkout).
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
export BUILD=${BUILD:-$root/build/bin}
PATH=$BUILD:$PATH
shared=${TRACEMILL_SHARED:-$root/../shared}

if ! command -v python3 >/dev/null; then
	echo "not run: no python3"
	exit 77
fi
exec python3 -B "$here/tables.py" "${1:-some}" "$shared/data"
