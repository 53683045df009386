#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the tools, and prints a line for each tenth of the files: a minute of silence looks like a hang.
#
#   tests/build.sh MAKE [ARGUMENTS OF MAKE]
#
# Says nothing if nothing is to be compiled.
set -eu -o pipefail

if [ $# -eq 0 ]; then
	echo "usage: build.sh MAKE [ARGUMENTS OF MAKE]" >&2
	exit 2
fi
make=$1
shift
compiles=' -c -o '
files=$("$make" -n "$@" tools | grep -c -e "$compiles") || files=0
if [ "$files" -gt 0 ]; then
	echo "building: $files file$([ "$files" = 1 ] || echo s)"
fi
"$make" "$@" tools | awk -v files="$files" -v compiles="$compiles" '
	index($0, compiles) {
		tenth = int(10 * ++n / files)
		if (tenth > told && tenth < 10) {
			printf "building: %d0 %%\n", tenth
			fflush()
			told = tenth
		}
	}'
