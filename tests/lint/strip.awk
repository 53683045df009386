# SPDX-License-Identifier: MIT
# C source without comments, strings and character constants, line for line, as "FILE:LINE:code".
FNR == 1 {
	inside = 0
}

{
	out = ""
	s = $0
	while (s != "") {
		if (inside) {
			i = index(s, "*/")
			if (!i)
				break
			s = substr(s, i + 2)
			inside = 0
			out = out " "
			continue
		}
		if (!match(s, /["']|\/[*\/]/)) {
			out = out s
			break
		}
		out = out substr(s, 1, RSTART - 1)
		mark = substr(s, RSTART, RLENGTH)
		s = substr(s, RSTART + RLENGTH)
		if (mark == "//")
			break
		if (mark == "/*") {
			inside = 1
			continue
		}
		# To the end of the literal; a backslash hides what follows it.
		while (s != "" && substr(s, 1, 1) != mark)
			s = substr(s, substr(s, 1, 1) == "\\" ? 3 : 2)
		s = substr(s, 2)
		out = out mark mark
	}
	print FILENAME ":" FNR ":" out
}
