#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A run that was written in two formats gives the same kstats top from both, but for what is known of the
# producer.  TRACEMILL_SHARED: see shared_csv.sh.
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
	python3 -B "$here/formats.py" "$root/testdata" || exit 1
	echo "not run: shared data absent (the samples that ship agree)"
	exit 77
fi
exec python3 -B "$here/formats.py" "$root/testdata" "$(cd "$shared/data" && pwd)"
