#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The worked examples of docs/adding-*.md compile without a warning and, with their line in the .def, give the
# answer that is right; every file that a document links to or a manual
# page names is there.
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

# The tool with both examples in it: their lines stand in front of the lists, what includes these is compiled anew.
library=${BUILD:-build/$(basename "$(dirname "$(readlink build/bin/kstats)")")}
mkdir -p "$tmp/read" "$tmp/metric"
{
	sed '/^BYTES(/,$d' libanalyze/read/formats.def
	sed -n 's/^\(FORMAT(.*\)$/\1/p' docs/adding-a-reader.md
	sed -n '/^BYTES(/,$p' libanalyze/read/formats.def
} >"$tmp/read/formats.def"
{ cat libanalyze/metric/metrics.def; echo 'METRIC(total)'; } >"$tmp/metric/metrics.def"
for doc in docs/adding-*.md; do
	awk '/^```c$/ { inside = !done; next } /^```$/ { done = done || inside; inside = 0; next } inside' \
		"$doc" >"$tmp/$(basename "$doc" .md).c"
done
if [ ! -f "$library/libanalyze.a" ]; then
	found+="docs.sh: no library in $library; run make"$'\n'
elif ! "${CC:-gcc}" -std=c11 -D_GNU_SOURCE -DTRACEMILL_VERSION='"0"' -I"$tmp" -Ilibanalyze -I. -o "$tmp/kstats" cmd/kstats.c \
	libanalyze/read/reader.c libanalyze/metric/metric.c "$tmp"/adding-*.c "$library/libanalyze.a" \
	-lcsv -lsqlite3 -lzstd -lz -lprotobuf-c -liberty -lpthread -ldl -lm >"$tmp/said" 2>&1; then
	found+="the worked examples do not build: $(head -n 20 "$tmp/said")"$'\n'
else
	got=$(printf '#timeline 1\nfill;1000;1250\ncopy;1300;1310\n' | "$tmp/kstats" total -f csv - 2>&1)
	if [ "$got" != $'calls,total_ns\n2,260' ]; then
		found+="the worked examples answer: $got"$'\n'
	fi
	got=$(printf '#timeline 1\nfill;1000;1250\ncopy;1300;1310\n' | "$tmp/kstats" total -w 1250.. -f csv - 2>&1)
	if [ "$got" != $'calls,total_ns\n1,10' ]; then
		found+="the worked examples with -w answer: $got"$'\n'
	fi
fi
for doc in *.md docs/*.md; do
	while IFS= read -r link; do
		if [ ! -e "$(dirname "$doc")/$link" ]; then
			found+="$doc: links to $link, which is not there"$'\n'
		fi
	done < <(grep -oE '\]\([^)#:]+\)' "$doc" | sed 's/^](//; s/)$//')
done
while IFS=: read -r doc path; do
	if [ ! -e "$path" ]; then
		found+="$doc: names $path, which is not there"$'\n'
	fi
done < <(grep -oE '^\.Pa (libanalyze|schemas|docs)/[A-Za-z0-9_./-]+[a-z]' docs/man/* | sed 's/:\.Pa /:/')
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	exit 1
fi
