#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kstats findings: a program with one fault for each rule, whose finding comes first with a saving that the
# replay confirms, and programs without a fault, where nothing is above a note.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH

if ! command -v python3 >/dev/null; then
	echo "not run: no python3"
	exit 77
fi
exec python3 -B "$here/findings.py"
