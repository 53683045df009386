#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Four ranks whose clocks are known to be apart, aligned by tracemerge: back together within what it
# says may be left; in one step and in two; and where it is not possible, so is said.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH

if ! command -v python3 >/dev/null; then
	echo "not run: no python3"
	exit 77
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
if [ ! -d "${TRACEMILL_SHARED:-$root/../shared}/data" ]; then
	echo "NOT COMPARED: the traces of ../shared, which is not there"
fi
exec python3 -B "$here/align.py" "$work" "${TRACEMILL_SHARED:-$root/../shared}/data"
