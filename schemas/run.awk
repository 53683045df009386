# SPDX-License-Identifier: MIT
# The SQL of a run.db: awk -f run.awk columns.def run_tables.def run.sql
#
#   -- @columns TABLE   the columns that run_tables.def gives the table, as their type in columns.def
#                       is stored, with its comments and the version that brought them
#   @version            the user_version that is written
#   @common(a.TIME)     a time of table a on the common clock of t, a row of table clock

# What stands between the first of one and the next of the other, in s.
function between(s, one, other) {
	s = substr(s, index(s, one) + length(one))
	return index(s, other) ? substr(s, 1, index(s, other) - 1) : s
}

/^EV_COLUMN\(/ {
	split(between($0, "(", "\""), w, /, */)
	sql[w[1]] = w[2] == "REAL" ? "REAL" : w[2] == "DOMAIN" ? "TEXT" : \
		w[2] == "NAME" ? "INTEGER REFERENCES name" : "INTEGER"
}

/^RUN_(COLUMN|LATER)\(/ {
	n = split(between($0, "(", ")"), w, /, */)
	sub(/^TM_EVC_/, "", w[3])
	if (!(w[3] in sql)) {
		print "run.awk: there is no column " w[3] >"/dev/stderr"
		exit 1
	}
	# The last column has no comma, which belongs in front of its comment.
	if (w[1] in last)
		list[w[1]] = list[w[1]] last[w[1]] "," note[w[1]] "\n"
	if (n == 4 && w[4] != version[w[1]]) {
		version[w[1]] = w[4]
		list[w[1]] = list[w[1]] "    -- since version " w[4] "\n"
	}
	last[w[1]] = "    " w[2] " " sql[w[3]]
	note[w[1]] = index($0, "/* ") ? " -- " between($0, "/* ", " */") : ""
}

/^RUN_VERSION\(/ {
	version_now = between($0, "(", ",")
}

FILENAME ~ /\.def$/ {
	next
}

$1 == "--" && $2 == "@columns" {
	if (!($3 in last)) {
		print "run.awk: there is no table " $3 >"/dev/stderr"
		exit 1
	}
	print list[$3] last[$3] note[$3]
	next
}

{
	sub(/@version/, version_now)
	while (match($0, /@common\([a-z]\.[a-z_]+\)/)) {
		at = substr($0, RSTART + 8, RLENGTH - 9)
		from = "(" at " - t.origin_ns)"
		$0 = substr($0, 1, RSTART - 1) at " + t.offset_ns\n           + ((((" from \
			" >> 22) * t.rate)\n               + (((" from \
			" & 4194303) * t.rate) >> 22)) >> 22)" substr($0, RSTART + RLENGTH)
	}
	print
}
