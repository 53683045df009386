#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The worked examples of docs/adding-*.md compile without a warning, and every file that a document links to
# is there.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
found=
for doc in docs/adding-*.md; do
	# The first block of C is the file; a later one is a line for a .def.
	awk '/^```c$/ { inside = !done; next } /^```$/ { done = done || inside; inside = 0; next } inside' \
		"$doc" >"$tmp/example.c"
	if [ ! -s "$tmp/example.c" ]; then
		found+="$doc: no worked example"$'\n'
		continue
	fi
	found+=$("${CC:-gcc}" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -Ilibanalyze -I. \
		-fsyntax-only "$tmp/example.c" 2>&1 | sed "s,^,$doc: ,")
done
for doc in *.md docs/*.md; do
	while IFS= read -r link; do
		if [ ! -e "$(dirname "$doc")/$link" ]; then
			found+="$doc: links to $link, which is not there"$'\n'
		fi
	done < <(grep -oE '\]\([^)#:]+\)' "$doc" | sed 's/^](//; s/)$//')
done
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	exit 1
fi
