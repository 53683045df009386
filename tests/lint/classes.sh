#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The man pages name the classes of the built-in table: tracemill-classes(5) each, in the order of the
# table, kstats(1) all of them.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Classes of a table in the order of first mention; "other" there is even where no rule says so.
table() {
	awk -F '\t' '!/^#/ && NF == 2 && !seen[$1]++ { print $1 } END { if (!seen["other"]) print "other" }' "$1"
}

# What the CLASSES section of a page tags, or lists, as a class.
tagged() {
	sed -n '/^\.Sh CLASSES/,/^\.Sh [^C]/s/^\.It Cm //p' "$1"
}
listed() {
	sed -n '/^\.Sh CLASSES/,/^\.Sh [^C]/s/^\.Cm //p' "$1" | tr -d ,. | tr -s ' ' '\n' | grep .
}

compare() {
	if ! diff "$1" "$2" >"$tmp/diff"; then
		echo "$3: not the classes of schemas/kernel_classes.tsv"
		cat "$tmp/diff"
	fi
}

printf '# x\nb\tq\na\tr\nb\ts\n' >"$tmp/t"
if [ "$(table "$tmp/t" | tr '\n' ' ')" != "b a other " ]; then
	echo "classes.sh does not read a table"
	exit 1
fi

{
	table schemas/kernel_classes.tsv >"$tmp/want"
	tagged docs/man/tracemill-classes.5 >"$tmp/got"
	compare "$tmp/want" "$tmp/got" docs/man/tracemill-classes.5
	sort "$tmp/want" >"$tmp/want.sorted"
	listed docs/man/kstats.1 | sort >"$tmp/got"
	compare "$tmp/want.sorted" "$tmp/got" docs/man/kstats.1
} >"$tmp/found"
cat "$tmp/found"
[ ! -s "$tmp/found" ]
