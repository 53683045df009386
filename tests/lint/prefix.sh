#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Names of the library begin with tm_ or TM_: every external symbol, and in installed headers every type,
# constant and macro.  Headers known in one room only need no mark in their names.
set -u
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

# Symbols on stdin that have no prefix; what protoc-c makes has that of its package.
strangers() {
	awk 'NF == 3 && $3 !~ /^(tm_|perfetto__|_)/ { print "external symbol without tm_: " $3 }' | sort -u
}

# Names that headers declare without a prefix.
unprefixed() {
	awk -f tests/lint/strip.awk "$@" | awk -F: '
	{
		where = $1 ":" $2
		line = $0
		sub(/^[^:]*:[^:]*:/, "", line)
		if (line ~ /^(struct|enum|union) [A-Za-z_0-9]+ *\{?;?$/ && line !~ /^(struct|enum|union) tm_/)
			print where ": " line
		if (line ~ /^[ \t]*#[ \t]*define/ && line !~ /define TM_/ && line !~ /define tm_/ &&
		    line !~ /define [A-Z_]+\(/)
			print where ": " line
		if (line ~ /^enum/)
			inside = 1
		if (inside && line ~ /^[ \t]+[A-Za-z_][A-Za-z_0-9]*( =.*)?,?[ \t]*$/ && line !~ /^[ \t]+TM_/)
			print where ": " line
		if (line ~ /^}/ || line ~ /^enum.*};/)
			inside = 0
	}'
}

library=${BUILD:-build/$(basename "$(dirname "$(readlink build/bin/kstats)")")}/libanalyze.a
if [ ! -f "$library" ]; then
	echo "prefix.sh: no library at $library; run make"
	exit 1
fi
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
printf 'enum shape {\n\tROUND,\n\tTM_SQUARE,\n};\n#define SIDES 4\nstruct tm_box {\n' >"$tmp/planted.h"
found=
if [ "$(unprefixed "$tmp/planted.h" | wc -l)" -ne 3 ] || [ -z "$(echo '0 T box' | strangers)" ]; then
	found="prefix.sh does not see what was planted"$'\n'
fi
mapfile -t headers < <("${MAKE:-make}" -s --no-print-directory public)
[ "${#headers[@]}" -gt 20 ] || found+="no public headers found"$'\n'
found+=$(nm -g --defined-only "$library" 2>/dev/null | strangers)
found+=$(unprefixed "${headers[@]}")
found+=$(find libanalyze cmd -name 'priv_*')
found+=$(grep -rnE '\bpriv_' libanalyze cmd --include='*.[ch]' --include='*.inc' | grep -v '\bpriv_size\b')
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	exit 1
fi
