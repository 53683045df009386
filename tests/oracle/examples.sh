#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What README.md and the manual pages show is what comes out.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH

for tool in python3 sqlite3; do
	if ! command -v $tool >/dev/null; then
		echo "not run: no $tool"
		exit 77
	fi
done
exec python3 -B "$here/examples.py" "$root" "${TESTDATA:-$root/testdata}"
