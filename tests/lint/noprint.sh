#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The library neither prints nor exits nor touches signals; comments and strings do not count.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

check() {
	awk -f tests/lint/strip.awk "$@" | awk -F: '
	BEGIN {
		n = split("printf vprintf fprintf vfprintf dprintf vdprintf puts fputs putchar putc fputc" \
			" perror psignal err errx warn warnx error syslog exit _exit _Exit quick_exit" \
			" atexit abort assert signal sigaction raise", w, " ")
		for (i = 1; i <= n; i++)
			call[w[i]] = 1
		stream["stdout"] = stream["stderr"] = 1
	}
	{
		s = $0
		sub(/^[^:]*:[^:]*:/, "", s)
		while (match(s, /[A-Za-z_][A-Za-z_0-9]*/)) {
			# A member of that name is somebody else: x.exit, x->warn
			before = RSTART > 1 ? substr(s, 1, RSTART - 1) : ""
			word = substr(s, RSTART, RLENGTH)
			s = substr(s, RSTART + RLENGTH)
			if (before ~ /(\.|->)[ \t]*$/)
				continue
			if (word in stream || (word in call && s ~ /^[ \t]*\(/))
				print $1 ":" $2 ": " word " has no place in the library"
		}
	}'
}

# A lint that sees nothing passes too, so it is tried on violations planted here.
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/bad.c" <<'END'
	printf("x");
	fprintf (f, "x");
	FILE *f = stderr;
	/* a comment */ exit(1);
	char c = '"'; abort();
	char d = '\''; assert(c);
	const char *s = "/*"; puts(s);
END
cat >"$tmp/good.c" <<'END'
/* printf("x"); exit(1) */
// abort()
	snprintf(b, sizeof b, "exit(1) \" printf(");
	vsnprintf(b, n, fmt, ap);
void f(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
	_Static_assert(sizeof(int) == 4, "abort()");
	/* first
	 * exit(2); */
	ops->exit(p), p.warn(q), err = 1;
END
found=
caught=$(check "$tmp/bad.c" | wc -l)
if [ "$caught" -ne 7 ]; then
	found+="noprint.sh catches $caught of 7 planted lines"$'\n'
fi
found+=$(check "$tmp/good.c" | sed 's/^/noprint.sh objects wrongly: /')
files=()
for f in libanalyze/*/*.[ch] libanalyze/*/*.inc; do
	if [ -f "$f" ]; then
		files+=("$f")
	fi
done
if [ ${#files[@]} -eq 0 ]; then
	found+="no source files found"
else
	found+=$(check "${files[@]}")
fi
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	exit 1
fi
