#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# libanalyze/libanalyze.map lists what libanalyze.so offers: every function and object that a public header
# declares, and nothing else.
#
#   tests/lint/symbols.sh [--write]
set -u
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

map=libanalyze/libanalyze.map
library=${BUILD:-build/$(basename "$(dirname "$(readlink build/bin/kstats)")")}/libanalyze.a
if [ ! -f "$library" ]; then
	echo "symbols.sh: no library at $library; run make"
	exit 1
fi
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
mapfile -t headers < <("${MAKE:-make}" -s --no-print-directory public)
# The names of functions and of extern objects.
declared() {
	awk -f tests/lint/strip.awk "${headers[@]}" | cut -d: -f3- >"$tmp/code"
	grep -oE '[A-Za-z_][A-Za-z0-9_]*\(' "$tmp/code" | tr -d '('
	grep -oE '^extern .*' "$tmp/code" | grep -oE '[A-Za-z_][A-Za-z0-9_]*[[;]' | tr -d '[;'
}

wanted() {
	printf 'TRACEMILL_0 {\n\tglobal:\n'
	comm -12 \
		<(nm -g --defined-only "$library" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u) \
		<(declared | sort -u) |
		sed 's/.*/\t\t&;/'
	printf '\tlocal:\n\t\t*;\n};\n'
}
if [ "${1-}" = --write ]; then
	wanted >"$map.new" && mv "$map.new" "$map"
	exit
fi
if ! wanted | diff "$map" - >/dev/null; then
	echo "$map differs from the public headers; tests/lint/symbols.sh --write mends it:"
	wanted | diff "$map" - | grep '^[<>]'
	exit 1
fi
