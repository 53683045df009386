#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# .clang-format decides how the C code looks: clang-format -i FILE settles any finding but one: it does not wrap
# comments, and no line goes past column 100.  Rows of a .def are as long as they have to be.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

# shellcheck disable=SC1091 # it is looked at by itself
. tests/lint/clean.bash

if ! command -v clang-format >/dev/null; then
	echo "clang-format is not installed; run tests/deps.sh lint"
	exit 1
fi
mapfile -d '' files < <(find libanalyze cmd tests -name '*.[ch]' -print0 | sort -z)
if [ ${#files[@]} -eq 0 ]; then
	echo "no source files found"
	exit 1
fi
how=$(clang-format --version && cat .clang-format)
# One process for all of them: starting it costs more than looking at ten.
found=
if ! said=$(changed format "$how" "${files[@]}" | xargs -0 -r clang-format --dry-run -Werror 2>&1); then
	found=$(sed -n 's/:[0-9]*:[0-9]*: error: code should be .*/: not as clang-format writes it/p' <<<"$said" | sort -u)
	found=${found:-$said}$'\n'
fi
# Tabs are 8 wide; texts of tests are as long as what they test.
# shellcheck disable=SC2016 # awk reads it
found+=$(find libanalyze cmd tests -name '*.[ch]' -print0 -o -name '*.inc' -print0 | sort -z | xargs -0 awk '
	FILENAME ~ /^tests/ && /"/ { next }
	{
		match($0, /^\t*/)
		n = 8 * RLENGTH
		for (s = substr($0, RLENGTH + 1); i = index(s, "\t"); s = substr(s, i + 1))
			n += i - 1 + 8 - (n + i - 1) % 8
		if (n + length(s) > 100)
			print FILENAME ":" FNR ": past column 100"
	}')
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	exit 1
fi
clean format "$how" "${files[@]}"
