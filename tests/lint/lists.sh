#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A list that a .def has is not typed again: no table, enumeration or function of the library names half of
# the rows of a .def, by identifier or by word.  Who needs the list includes the .def.
set -u
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

# copies SOURCE... with the lists on stdin, "DEF PREFIX" a line: one line for each block (from a line in
# column 1 that ends with a brace to the brace in column 1 that closes it) with half of the rows of DEF, and
# six at least.  PREFIX stands before the identifiers in C; "-": these words are too common to be looked for.
copies() {
	awk '
	function learn(def, prefix,    line, s, word) {
		while ((getline line <def) > 0)
			if (match(line, /^[A-Z][A-Z_]*\([A-Za-z_0-9]+[,)]/)) {
				s = substr(line, RSTART, RLENGTH - 1)
				sub(/^[^(]*\(/, "", s)
				word = s
				gsub(/_/, "-", word)
				if (prefix != "-" && !((s = prefix s) in of_id)) {
					of_id[s] = def
					ids[def]++
				}
				# Of a row of names alone the word is the identifier.
				if (match(line, /"[a-z][a-z_0-9-]*"/) || (prefix != "-" && line !~ /"/)) {
					s = line ~ /"/ ? substr(line, RSTART + 1, RLENGTH - 2) : word
					if (!((def, s) in of_word)) {
						of_word[def, s] = 1
						defs[s] = defs[s] def " "
						words[def]++
					}
				}
			}
		close(def)
	}
	function judge(    d) {
		for (d in got)
			if (got[d] >= 6 && got[d] * 2 >= words[d])
				print where ": " got[d] " of the " words[d] " words of " d
		for (d in named)
			if (named[d] >= 6 && named[d] * 2 >= ids[d])
				print where ": " named[d] " of the " ids[d] " rows of " d
		inside = 0
	}
	BEGIN {
		while ((getline row <"-") > 0) {
			split(row, w, " ")
			learn(w[1], w[2])
		}
	}
	/^[^ \t}].*\{$/ {
		where = FILENAME ":" FNR
		inside = 1
		split("", got)
		split("", named)
		split("", seen)
	}
	inside {
		for (s = $0; match(s, /"[a-z][a-z_0-9-]*"|[A-Za-z_][A-Za-z_0-9]*/); s = substr(s, RSTART + RLENGTH)) {
			token = substr(s, RSTART, RLENGTH)
			if (token in seen)
				continue
			seen[token] = 1
			if (token in of_id)
				named[of_id[token]]++
			if (token ~ /^"/) {
				n = split(defs[substr(token, 2, RLENGTH - 2)], w, " ")
				for (i = 1; i <= n; i++)
					got[w[i]]++
			}
		}
	}
	/^}/ && inside {
		judge()
	}' "$@"
}

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
found=
printf 'ROW(%s, "%s")\n' ONE one TWO two THREE three FOUR four FIVE five SIX six SEVEN seven >"$tmp/list.def"
printf 'NAME(%s)\n' red_a blue_a green_a black_a white_a brown_a >"$tmp/names.def"
{
	printf 'static const char *const again[] = {\n'
	printf '\t"%s",\n' one two three four five six
	printf '};\nenum again {\n'
	printf '\tTM_X_%s,\n' ONE TWO THREE FOUR FIVE SIX
	printf '};\nstatic const char *const names[] = {\n'
	printf '\t"%s",\n' red-a blue-a green-a black-a white-a brown-a
	printf '};\nstatic const char *const some[] = {\n'
	printf '\t"%s",\n' one two three and others
	printf '};\n'
} >"$tmp/copy.c"
if [ "$(printf '%s\n' "$tmp/list.def TM_X_" "$tmp/names.def tm_" | copies "$tmp/copy.c" | wc -l)" -ne 3 ]; then
	found="lists.sh does not see what was planted"$'\n'
fi
mapfile -t sources < <(find libanalyze cmd -name '*.[ch]' | sort)
lists=$(find libanalyze schemas -name '*.def' | sort | awk '
	BEGIN {
		prefix["libanalyze/model/columns.def"] = "TM_EVC_"
		prefix["libanalyze/model/losses.def"] = "TM_LOSS_"
		prefix["libanalyze/read/formats.def"] = "tm_reader_"
		prefix["libanalyze/metric/metrics.def"] = "tm_metric_"
	}
	{
		print $1, ($1 in prefix ? prefix[$1] : "-")
		delete prefix[$1]
	}
	END {
		for (d in prefix)
			print d " is not there" >"/dev/stderr"
	}' 2>&1)
[ "$(wc -l <<<"$lists")" -gt 10 ] || found+="no lists found"$'\n'
found+=$(copies "${sources[@]}" <<<"$lists")
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	exit 1
fi
