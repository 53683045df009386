#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Files read in ranges by several threads: the same answers as of one that reads them whole, in tools that take
# ranges of a few KiB (short_ranges.c), where those of people take as many MiB.
# TRACEMILL_SHARED is the folder (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
tools=${BUILD:?}/ranges
if [ ! -x "$tools/kstats" ]; then
	echo "not run: no tools with short ranges: make ranges"
	exit 77
fi
PATH=$tools:$PATH
folders=("$root/testdata")
if [ -d "$shared/data" ]; then
	folders+=("$(cd "$shared/data" && pwd)")
else
	echo "not there: the shared data; only what ships is read"
fi
exec python3 -B "$here/ranges.py" "$root" "$(dirname "${GEN:?}")" "${folders[@]}"
