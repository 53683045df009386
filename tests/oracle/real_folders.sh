#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every real folder gives the totals of one run, or a refusal, as real_folders.tsv says; and the totals are those of an independent
# reading of the files that it names.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH
shared=${TRACEMILL_SHARED:-$root/../shared}

if [ ! -d "$shared/data/real" ] || ! command -v python3 >/dev/null; then
	echo "not run: no real traces in $shared, or no python3"
	exit 77
fi
exec python3 -B "$here/real_folders.py" "$here/real_folders.tsv" "$shared/data" "$@"
