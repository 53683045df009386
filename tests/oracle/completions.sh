#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What bash, zsh and fish complete with the scripts of --completion, asked of the shells themselves:
# every sub-command, every option, words of choices and lists, files.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
missing=0
for shell in zsh fish; do
	if ! command -v "$shell" >/dev/null; then
		echo "not run: $shell is not installed, so its completions are NOT tested"
		missing=77
	fi
done
python3 -B "$here/completions.py" "${BUILD:-$root/build/bin}" || exit
exit "$missing"
