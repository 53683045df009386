#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# .clang-format decides how the C code looks: clang-format -i FILE settles any finding but one: it does not wrap
# comments, and no line of the library and the tools goes past column 100.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

if ! command -v clang-format >/dev/null; then
	echo "clang-format is not installed; run tests/deps.sh lint"
	exit 1
fi
mapfile -d '' files < <(find libanalyze cmd tests -name '*.[ch]' -print0 | sort -z)
if [ ${#files[@]} -eq 0 ]; then
	echo "no source files found"
	exit 1
fi
# shellcheck disable=SC2016 # the inner shell expands it
found=$(printf '%s\0' "${files[@]}" | xargs -0 -n 8 -P "$(nproc)" sh -c '
	for f; do
		if ! clang-format "$f" | cmp -s - "$f"; then
			echo "$f: not as clang-format writes it"
		fi
	done' sh | sort)
found+=$(find libanalyze cmd -name '*.[ch]' | sort | while IFS= read -r f; do
	expand -t 8 "$f" | awk -v f="$f" 'length($0) > 100 { print f ":" FNR ": past column 100" }'
done)
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	exit 1
fi
