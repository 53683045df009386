#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each line of a .def list has its file, each such file its line, and each format its entry in
# formats(5) and a place in the fuzz driver.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

page=docs/man/tracemill-formats.5

# The ids of FORMAT(id) lines and their like: ids MACRO FILE
ids() {
	if [ -f "$2" ]; then
		sed -n "s/^$1(\([a-z0-9_]*\)[,)].*/\1/p" "$2"
	fi
}

# list MACRO STEM FOLDER DEF: the list and the files of a folder that define STEM_<id> agree.
list() {
	local macro=$1 stem=$2 folder=$3 def=$4 id f
	if [ -z "$(ids "$macro" "$def")" ]; then
		echo "$def: no $macro(id) line"
	fi
	ids "$macro" "$def" | sort | uniq -d | sed "s,^,$def: twice: ,"
	for id in $(ids "$macro" "$def"); do
		f=$(find "$folder" -name "$id.c")
		: "${f:=$folder/$id.c}"
		if [ ! -f "$f" ]; then
			echo "$def: $macro($id) has no $f"
		elif ! grep -Eq "^const struct tm_[a-z_]+ tm_${stem}_$id\b" "$f"; then
			echo "$f: does not define tm_${stem}_$id"
		fi
	done
	# Files that define one without a line.
	find "$folder" -maxdepth 2 -name '*.c' -exec \
		grep -HEo "^const struct tm_[a-z_]+ tm_${stem}_[a-z0-9_]+" {} + |
		while IFS=: read -r f id; do
			id=${id##* "tm_${stem}_"}
			if [ "${f##*/}" = "$id.c" ] && ! ids "$macro" "$def" | grep -qx "$id"; then
				echo "$f: no $macro($id) line in $def"
			fi
		done
}

formats() {
	local id text
	if [ ! -f "$page" ]; then
		echo "$page: missing"
		return
	fi
	# mdoc may write the dashes as \-
	text=$(sed 's/\\-/-/g' "$page")
	for id in $(ids FORMAT libanalyze/read/formats.def) \
		$(sed -n 's/^	\.name = "\([a-z-]*\)",$/\1/p' libanalyze/read/{library,power}/*.c); do
		if ! grep -qwE "$id|${id//_/-}" <<<"$text"; then
			echo "$page: does not name $id"
		fi
	done
	if ! grep -qs 'formats\.def' tests/fuzz/*.c; then
		echo "tests/fuzz: no driver covers read/formats.def"
	fi
}

found=$(
	list FORMAT reader libanalyze/read libanalyze/read/formats.def
	list BYTES bytes libanalyze/read libanalyze/read/formats.def
	list MODE render libanalyze/render libanalyze/render/modes.def
	list METRIC metric libanalyze/metric libanalyze/metric/metrics.def
	formats
)
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	exit 1
fi
