#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each input is opened at most twice, and its first 64 KiB are read once, whatever is asked of it (twice of powerstats).
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${BUILD:-$root/build/bin}
if ! strace -qq -o /dev/null true 2>/dev/null; then
	echo "not run: strace cannot trace here"
	exit 77
fi
exec python3 "$here/opens.py" "$build" "$root/testdata"
