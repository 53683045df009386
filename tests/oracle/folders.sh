#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Random folders: one run, or several, in several formats, sub-directories and archives.  Each event counts once, in kstats
# and in the run.db of tracemerge; formats of one run that do not agree are refused.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

if ! command -v python3 >/dev/null; then
	echo "not run: no python3"
	exit 77
fi
cd "$work" || exit 2
PYTHONPATH=$root/tests/gen python3 -B "$here/folders.py" "$@"
