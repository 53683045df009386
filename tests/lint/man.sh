#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The man pages say what the tools do: options, columns and formats, both ways.
#
# What counts as documented in docs/man/TOOL.1:
#   an option   `.It Fl n , Fl -top Ar N` anywhere in the page
#   a column    `.It Va total_ns` (several: `.It Va p50_ns , p90_ns`) in the section OUTPUT
# The options of a tool are those of `TOOL --help` and of `TOOL SUBCOMMAND --help` for each word
# below "Sub-commands:"; its columns are what --list-columns prints where --help has that option.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
bin=${BUILD:-build/bin}

# --top and -n, one a line, from help text on stdin
help_options() {
	awk '/^[A-Z].*:$/ { on = /[Oo]ptions:$/ }
		on && /^  (-.,|   ) --[a-z]/ {
			if ($1 ~ /^-.,$/)
				print substr($1, 1, 2)
			print $1 ~ /^--/ ? $1 : $2
		}'
}

# The names in what --list-columns prints.
names() {
	awk 'NR > 1 { print $1 }'
}

# The flags among them that have no letter: those that choose another table are
help_flags() {
	awk '/^[A-Z].*:$/ { on = /[Oo]ptions:$/ }
		on && /^      --[a-z-]+(  |$)/ { print $1 }'
}

help_commands() {
	awk '/^[A-Z].*:$/ { on = /^Sub-commands:$/ } on && /^  [a-z]/ { print $1 }'
}

# The words of `.It Fl` lines of a page
page_options() {
	sed 's/\\-/-/g; s/\\&//g; s/"//g' "$1" | awk '
		$1 == ".It" {
			on = 0
			for (i = 2; i <= NF; i++) {
				if ($i == "Fl") {
					on = 1
				} else if ($i ~ /^[A-Z][a-z]$/) {
					on = 0
				} else if (on && $i !~ /^[,|.]$/) {
					sub(/=$/, "", $i)
					print "-" $i
				}
			}
		}'
}

page_columns() {
	sed 's/\\-/-/g; s/\\&//g; s/"//g' "$1" | awk '
		$1 == ".Sh" { output = $2 == "OUTPUT" }
		output && $1 == ".It" {
			on = 0
			for (i = 2; i <= NF; i++) {
				if ($i ~ /^[A-Z][a-z]$/)
					on = $i == "Va"
				else if (on && $i !~ /^[,|.]$/)
					print $i
			}
		}'
}

# differ WHAT TOOL PAGE: compare the sorted lists $tmp/real and $tmp/page
differ() {
	comm -23 "$tmp/real" "$tmp/page" | sed "s,^,$3: does not describe $1 ," |
		sed "s/\$/, which $2 has/"
	comm -13 "$tmp/real" "$tmp/page" | sed "s,^,$3: describes $1 ," |
		sed "s/\$/, which $2 does not have/"
}

# Run a tool into $tmp/help; false and a line when it does not work.
run() {
	local status=0
	"$@" </dev/null >"$tmp/help" 2>"$tmp/err" || status=$?
	if [ "$status" -ne 0 ] || [ ! -s "$tmp/help" ]; then
		echo "${*##*/}: status $status instead of text on stdout: $(head -n 1 "$tmp/err")"
		return 1
	fi
}

tool_page() {
	local tool=$1 page=docs/man/$1.1 command commands
	if [ ! -f "$page" ]; then
		echo "$page: missing"
		return
	fi
	if [ ! -x "$bin/$tool" ]; then
		echo "$bin/$tool: not built; run make"
		return
	fi
	: >"$tmp/options"
	: >"$tmp/columns"
	run "$bin/$tool" --help || return
	commands=$(help_commands <"$tmp/help")
	for command in '' $commands; do
		# shellcheck disable=SC2086 # none or one word
		run "$bin/$tool" $command --help || continue
		help_options <"$tmp/help" >"$tmp/one"
		if [ ! -s "$tmp/one" ]; then
			echo "$tool $command --help: no options found in it"
		fi
		cat "$tmp/one" >>"$tmp/options"
		if [ -n "$command" ] && ! grep -qw -- "$command" "$page"; then
			echo "$page: does not describe the sub-command $command"
		fi
		[ -n "$command" ] || cp "$tmp/one" "$tmp/common"
		if [ -z "$command" ] && [ -n "$commands" ]; then
			# Without a sub-command kstats has no columns, tracecat has.
			"$bin/$tool" --list-columns </dev/null 2>/dev/null | names >>"$tmp/columns"
			continue
		fi
		if grep -qx -e --list-columns "$tmp/one"; then
			# shellcheck disable=SC2086
			run "$bin/$tool" $command --help && help_flags <"$tmp/help" >"$tmp/flags"
			# shellcheck disable=SC2086
			run "$bin/$tool" $command --list-columns && names <"$tmp/help" >>"$tmp/columns"
			# A flag may choose another table; those of every sub-command do not.
			while read -r flag; do
				case $flag in
				--list-*) continue ;;
				esac
				# shellcheck disable=SC2086
				{ [ -n "$command" ] && grep -qx -e "$flag" "$tmp/common"; } ||
					{ run "$bin/$tool" $command "$flag" --list-columns && names <"$tmp/help" >>"$tmp/columns"; }
			done <"$tmp/flags"
		fi
	done
	sort -u "$tmp/options" >"$tmp/real"
	page_options "$page" | sort -u >"$tmp/page"
	differ option "$tool" "$page"
	sort -u "$tmp/columns" >"$tmp/real"
	page_columns "$page" | sort -u >"$tmp/page"
	differ column "$tool" "$page"
}

formats_page() {
	local page=docs/man/tracemill-formats.5 name
	if [ ! -f "$page" ]; then
		echo "$page: missing"
	elif [ ! -x "$bin/kstats" ]; then
		echo "$bin/kstats: not built; run make"
	elif run "$bin/kstats" --list-formats; then
		cut -f 1 "$tmp/help" | awk '{ print $1 }' | while read -r name; do
			if ! sed 's/\\-/-/g' "$page" | grep -qwF -- "$name"; then
				echo "$page: does not name the format $name"
			fi
		done
	fi
}

mdoc() {
	local page n=0
	if ! command -v mandoc >/dev/null; then
		echo "mandoc is not installed; run tests/deps.sh lint"
		return
	fi
	for page in docs/man/*.[1-9]; do
		if [ -f "$page" ]; then
			n=$((n + 1))
			mandoc -T lint -W warning "$page"
		fi
	done
	if [ "$n" -eq 0 ]; then
		echo "docs/man: no pages"
	fi
}

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# The parsers above are tried on a page and a help text with one difference each way.
self_test() {
	printf '%s\n' 'usage: x' '' 'Sub-commands:' '  top   by --time' '' 'Options:' \
		'  -n, --top N   see --never' '      --only-here' >"$tmp/h"
	printf '%s\n' '.Sh OPTIONS' '.It Fl n , Fl \-top Ns = Ns Ar N' '.It Fl -only-page' \
		'.Sh OUTPUT' '.It Va a_ns , b_ns Pq x' '.Sh SEE ALSO' '.It Va c' >"$tmp/p"
	help_options <"$tmp/h" | sort >"$tmp/real"
	page_options "$tmp/p" | sort >"$tmp/page"
	if [ "$(differ o T P)" != "P: does not describe o --only-here, which T has
P: describes o --only-page, which T does not have" ] || [ "$(help_commands <"$tmp/h")" != top ] ||
		[ "$(page_columns "$tmp/p" | tr '\n' ' ')" != 'a_ns b_ns ' ]; then
		echo "man.sh does not see what was planted:"
		differ o T P
	fi
}

found=$(
	self_test
	n=0
	for f in cmd/*.c; do
		if [ -f "$f" ]; then
			n=$((n + 1))
			tool_page "$(basename "$f" .c)"
		fi
	done
	if [ "$n" -eq 0 ]; then
		echo "cmd: no tools found"
	fi
	formats_page
	mdoc
)
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	exit 1
fi
