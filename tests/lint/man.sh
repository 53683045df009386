#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The man pages say what the tools do: options, columns and formats, both ways.
#
# What counts as documented in a page:
#   an option   `.It Fl n , Fl -top Ar N` anywhere in it
#   a column    `.It Va total_ns` (several: `.It Va p50_ns , p90_ns`) in section OUTPUT or COLUMNS
# The options of a tool are those of `TOOL --help` and of `TOOL SUBCOMMAND --help` for each word
# below "Sub-commands:"; its columns are what --list-columns prints where --help has that option.
#
# A tool has one page, docs/man/TOOL.1, or also one for each sub-command, docs/man/TOOL-SUBCOMMAND.1.
# Then TOOL.1 has the options of `TOOL --help`, TOOL-SUBCOMMAND.1 the others of that sub-command and
# the columns of all its tables, those that a flag selects too.
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

# The names in what --list-columns printed into the files, or on stdin.
names() {
	awk 'FNR > 1 { print $1 }' "$@"
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

# "HEADING<tab>OPTION" for each option below a heading of section OPTIONS that says whose it is
page_places() {
	sed 's/\\-/-/g; s/\\&//g; s/"//g' "$1" | awk '
		$1 == ".Sh" { heading = "" }
		$1 == ".Ss" { heading = /[Oo]ptions/ ? substr($0, 5) : "" }
		heading != "" && $1 == ".It" {
			on = 0
			for (i = 2; i <= NF; i++) {
				if ($i == "Fl")
					on = 1
				else if ($i ~ /^[A-Z][a-z]$/)
					on = 0
				else if (on && $i !~ /^[,|.]$/)
					print heading "\t-" $i
			}
		}'
}

# misplaced TOOL PAGE COMMAND...: options below a heading of commands that do not have them.  The options of
# a command are in $tmp/of.COMMAND, those of the tool alone in $tmp/of.TOOL: a heading that names no command
# means those ("Options for events"), "both" and "Common" mean all.
misplaced() {
	local tool=$1 page=$2 heading option command whose
	shift 2
	page_places "$page" | while IFS=$'\t' read -r heading option; do
		whose=
		for command in "$tool" "$@"; do
			case " $heading " in
			*" $command "* | *' both '* | ' Common '*) whose+=" $command" ;;
			esac
		done
		for command in ${whose:-$tool}; do
			grep -qx -e "$option" "$tmp/of.$command" ||
				echo "$page: $heading: $command does not have $option"
		done
	done
}

page_columns() {
	sed 's/\\-/-/g; s/\\&//g; s/"//g' "$1" | awk '
		$1 == ".Sh" { output = $2 == "OUTPUT" || $2 == "COLUMNS" }
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

# "N COLUMN" for each column of the N-th list in section OUTPUT or COLUMNS
page_lists() {
	sed 's/\\-/-/g; s/\\&//g; s/"//g' "$1" | awk '
		$1 == ".Sh" { output = $2 == "OUTPUT" || $2 == "COLUMNS" }
		output && $1 == ".Bl" { list[++depth] = ++n }
		output && $1 == ".El" { depth-- }
		output && $1 == ".It" {
			on = 0
			for (i = 2; i <= NF; i++) {
				if ($i ~ /^[A-Z][a-z]$/)
					on = $i == "Va"
				else if (on && $i !~ /^[,|.]$/)
					print list[depth], $i
			}
		}'
}

# out_of_order PAGE TABLE...: the lists of a page are in the order of the machine formats.  A list is held against
# the table that has most of its columns, as --list-columns printed it; of several one that fits is enough.
out_of_order() {
	local page=$1
	shift
	page_lists "$page" | awk -v page="$page" '
		FILENAME != "-" && FNR == 1 { t++ }
		FILENAME != "-" { place[t, $1] = FNR; next }
		function judge(  i, j, n, most, last, wrong, best) {
			most = 0
			for (i = 1; i <= t; i++) {
				n = last = 0
				wrong = ""
				for (j = 1; j <= columns; j++) {
					if (!((i, column[j]) in place))
						continue
					n++
					if (place[i, column[j]] < last && wrong == "")
						wrong = column[j]
					last = place[i, column[j]]
				}
				if (n > most || (n == most && wrong == ""))
					best = wrong
				if (n > most)
					most = n
			}
			if (best != "")
				print page ": lists column " best " later than the machine formats do"
			columns = 0
		}
		$1 != list { judge(); list = $1 }
		{ column[++columns] = $2 }
		END { judge() }' "$@" -
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

# "--by call" for each option of which --help lists the values, with the first of them.
help_choices() {
	awk '
		function out(  m) {
			if (match(text, /^ *(-[a-z], |    )--[a-z-]+ [A-Z]+ /) && match(text, /: [a-z]+(, [a-z]+)* or [a-z]+/)) {
				m = substr(text, RSTART + 2)
				sub(/^ *(-[a-z], )? */, "", text)
				split(text, word, " ")
				split(m, value, /[, ]/)
				print word[1], value[1]
			}
			text = ""
		}
		/^ *(-[a-z], |    )--/ { out(); text = $0; next }
		/^ +[^ ]/ && text != "" { text = text " " $0; gsub(/  +/, " ", text); sub(/^ /, "      ", text); next }
		{ out() }
		END { out() }'
}

# is_common OPTION: whether $tmp/common, the options of all sub-commands, has it.
is_common() {
	[[ $'\n'$common$'\n' == *$'\n'"$1"$'\n'* ]]
}

# table N TOOL SUBCOMMAND FLAG...: the N-th table of columns_of, into $tmp/table.N
table() {
	local n=$1 tool=$2 command=$3
	shift 3
	run "$bin/$tool" ${command:+"$command"} "$@" --list-columns && mv "$tmp/help" "$tmp/table.$n"
}

# columns_of TOOL SUBCOMMAND: the columns of all its tables, those that a flag selects too; the options
# of all sub-commands are in $tmp/common.
columns_of() {
	local flag word common n=0
	common=$(<"$tmp/common")
	rm -f "$tmp"/table.*
	run "$bin/$1" ${2:+"$2"} --help || return
	help_flags <"$tmp/help" >"$tmp/flags"
	: >"$tmp/choices"
	if [ -n "$2" ]; then
		help_choices <"$tmp/help" >"$tmp/choices"
	fi
	table 0 "$1" "$2"
	while read -r flag; do
		case $flag in
		--list-*) continue ;;
		esac
		{ [ -n "$2" ] && is_common "$flag"; } || table $((n += 1)) "$1" "$2" "$flag"
	done <"$tmp/flags"
	while read -r flag word; do
		is_common "$flag" || table $((n += 1)) "$1" "$2" "$flag" "$word"
	done <"$tmp/choices"
	names "$tmp"/table.*
}

# options_of TOOL SUBCOMMAND >FILE: of its --help; false and a line on stdout where there are none.
options_of() {
	run "$bin/$1" ${2:+"$2"} --help >"$tmp/said" || { cat "$tmp/said"; return 1; }
	help_options <"$tmp/help" >"$3"
	if [ ! -s "$3" ]; then
		echo "$1 $2 --help: no options found in it"
	fi
}

# One page for the tool and its sub-commands $2...
one_page() {
	local tool=$1 page=docs/man/$1.1 command
	shift
	cp "$tmp/common" "$tmp/options"
	cp "$tmp/common" "$tmp/of.$tool"
	# Without a sub-command libperf has no columns, tracecat has.
	if [ $# -gt 0 ]; then
		"$bin/$tool" --list-columns </dev/null 2>/dev/null | names >"$tmp/columns"
	elif grep -qx -e --list-columns "$tmp/common"; then
		columns_of "$tool" '' >"$tmp/columns"
	else
		: >"$tmp/columns"
	fi
	for command; do
		options_of "$tool" "$command" "$tmp/one" || continue
		cat "$tmp/one" >>"$tmp/options"
		cp "$tmp/one" "$tmp/of.$command"
		if ! grep -qw -- "$command" "$page"; then
			echo "$page: does not describe the sub-command $command"
		fi
		if grep -qx -e --list-columns "$tmp/one"; then
			columns_of "$tool" "$command" >>"$tmp/columns"
		fi
	done
	sort -u "$tmp/options" >"$tmp/real"
	page_options "$page" | sort -u >"$tmp/page"
	differ option "$tool" "$page"
	sort -u "$tmp/columns" >"$tmp/real"
	page_columns "$page" | sort -u >"$tmp/page"
	differ column "$tool" "$page"
	misplaced "$tool" "$page" "$@"
}

# compare_command NAME PAGE: the options $tmp/one and the columns $tmp/columns of a sub-command with its
# page.  Options in $tmp/common need not be in it.
compare_command() {
	page_options "$2" | sort -u >"$tmp/page"
	sort -u "$tmp/one" >"$tmp/has"
	{
		comm -23 "$tmp/has" "$tmp/common.sorted"
		comm -12 "$tmp/has" "$tmp/page"
	} | sort -u >"$tmp/real"
	differ option "$1" "$2"
	sort -u "$tmp/columns" >"$tmp/real"
	page_columns "$2" | sort -u >"$tmp/page"
	differ column "$1" "$2"
}

# A page for the tool, with the options of all sub-commands $2..., and one for each of these.
page_each() {
	local tool=$1 page=docs/man/$1.1 command sub
	shift
	page_options "$page" | sort -u >"$tmp/page"
	cp "$tmp/common.sorted" "$tmp/real"
	differ option "$tool" "$page"
	: >"$tmp/all"
	for command; do
		sub=docs/man/$tool-$command.1
		if ! grep -q "^\.Xr $tool-$command 1" "$page"; then
			echo "$page: does not refer to $tool-$command(1)"
		fi
		if [ ! -f "$sub" ]; then
			echo "$sub: missing"
			continue
		fi
		options_of "$tool" "$command" "$tmp/one" || continue
		columns_of "$tool" "$command" >"$tmp/columns"
		cat "$tmp/columns" >>"$tmp/all"
		compare_command "$tool $command" "$sub"
		out_of_order "$sub" "$tmp"/table.*
	done
	page_columns "$page" | sort -u >"$tmp/page"
	sort -u "$tmp/all" | comm -12 - "$tmp/page" >"$tmp/real"
	differ column "$tool" "$page"
	for sub in "docs/man/$tool"-*.1; do
		case " $* " in
		*" $(basename "${sub#"docs/man/$tool-"}" .1) "*) ;;
		*) echo "$sub: $tool has no such sub-command" ;;
		esac
	done
}

tool_page() {
	local tool=$1 page=docs/man/$1.1
	local -a commands
	if [ ! -f "$page" ]; then
		echo "$page: missing"
		return
	fi
	if [ ! -x "$bin/$tool" ]; then
		echo "$bin/$tool: not built; run make"
		return
	fi
	options_of "$tool" '' "$tmp/common" || return
	sort -u "$tmp/common" >"$tmp/common.sorted"
	mapfile -t commands < <(help_commands <"$tmp/help")
	if compgen -G "docs/man/$tool-*.1" >/dev/null; then
		page_each "$tool" "${commands[@]}"
	else
		one_page "$tool" "${commands[@]}"
	fi
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

# misquoted PAGE...: what mdoc accepts and prints wrong.  A macro counts at the beginning of a line only; a quote
# goes on to the end of its line, over punctuation and words of no macro.
misquoted() {
	awk '
		FNR == 1 { literal = 0 }
		$1 == ".Bd" { literal = /-literal/ }
		$1 == ".Ed" { literal = 0 }
		literal || /^\.\\"/ { next }
		/^[^.].* \.[A-Z][a-z]( |$)/ { print FILENAME ":" FNR ": a macro in the middle of a line: " $0 }
		/^\.(.* )?(Ql|Sq|Dq|Qq) .* No / || /^\.(.* )?(Ql|Sq|Dq|Qq) .*[^ ] [,:;] [^ ,.:;)]/ {
			print FILENAME ":" FNR ": a quote that ends too late: " $0
		}' "$@"
}

mdoc() {
	local page n=0
	misquoted docs/man/*.[1-9]
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
	# -n and --top are options of all sub-commands here, so only their own may be missing.
	printf '%s\n' -n --top >"$tmp/common"
	cp "$tmp/common" "$tmp/common.sorted"
	sort -o "$tmp/common.sorted" "$tmp/common.sorted"
	printf '%s\n' -n --top --only-here >"$tmp/one"
	printf '%s\n' a_ns c_ns >"$tmp/columns"
	printf '%s\n' '.It Fl n' '.It Fl -only-page' '.Sh COLUMNS' '.It Va a_ns , b_ns' >"$tmp/p"
	if [ "$(compare_command T "$tmp/p" | sed "s,^$tmp/,,")" != "\
p: does not describe option --only-here, which T has
p: describes option --only-page, which T does not have
p: does not describe column c_ns, which T has
p: describes column b_ns, which T does not have" ]; then
		echo "man.sh does not see what was planted in the page of a sub-command:"
		compare_command T "$tmp/p"
	fi
	printf '%s\n' --all --mine >"$tmp/of.T"
	printf '%s\n' --all --its >"$tmp/of.one"
	printf '%s\n' '.Ss Options for both' '.It Fl -all , -mine' '.Ss Options of one' '.It Fl -its , -mine' \
		'.Ss Options for rows' '.It Fl -its , -mine' '.Ss Other' '.It Fl -none' >"$tmp/p"
	if [ "$(misplaced T "$tmp/p" one | sed "s,^$tmp/,,")" != "\
p: Options for both: one does not have --mine
p: Options of one: one does not have --mine
p: Options for rows: T does not have --its" ]; then
		echo "man.sh does not see options that were planted below the wrong heading:"
		misplaced T "$tmp/p" one
	fi
	printf '%s\n' 'as it is; .Cm b ,' '.Ql a , b' '.Pq Ql a No is b' '.Ql a b ,' '.Pf ( Ql a ) .' '.Bd -literal' \
		'a .Ql b' .Ed >"$tmp/p"
	if [ "$(misquoted "$tmp/p" | sed 's,.*p:\([0-9]\):.*,\1,' | tr '\n' ' ')" != '1 2 3 ' ]; then
		echo "man.sh does not see quotes and macros that were planted:"
		misquoted "$tmp/p"
	fi
	# The first list is in the order of the second table, the second in that of none.
	printf '%s\n' NAME a b c >"$tmp/order.1"
	printf '%s\n' NAME b a c d >"$tmp/order.2"
	printf '%s\n' '.Sh COLUMNS' .Bl '.It Va b , a' '.It Va d' .El .Bl '.It Va a , c' '.It Va b' .El >"$tmp/p"
	if [ "$(out_of_order "$tmp/p" "$tmp"/order.* | sed "s,^$tmp/,,")" != \
		"p: lists column b later than the machine formats do" ]; then
		echo "man.sh does not see a list that is out of order:"
		out_of_order "$tmp/p" "$tmp"/order.*
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
