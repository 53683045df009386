#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each public header compiles alone, all of them compile together, and a comment stands above each function
# it declares (one for a block of them without blank lines).
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck disable=SC1091 # it is looked at by itself
. tests/lint/clean.bash

undocumented() {
	awk '
	FNR == 1 {
		covered = inside = depth = 0
	}
	{
		line = $0
		comment = inside || line ~ /^[ \t]*\/\*/
		if (line ~ /\/\*/)
			inside = 1
		if (line ~ /\*\//)
			inside = 0
	}
	/^[ \t]*$/ && !inside {
		covered = 0
		next
	}
	comment {
		if (line ~ /^\/\*/)
			covered = 1
		next
	}
	{
		sub(/\/\*.*/, "", line)
		# A declaration at the top level whose first line has a name and a bracket; a body on
		# the next line makes it a definition, which its caller can read.
		if (depth == 0 && line ~ /^[A-Za-z].*[A-Za-z0-9_]\(/ &&
		    line !~ /^(typedef|static|extern const|#)/ && line !~ /=/ && !covered) {
			name = line
			sub(/\(.*/, "", name)
			sub(/.*[ \t*]/, "", name)
			print FILENAME ":" FNR ": no comment above " name
		}
		depth += gsub(/\{/, "{", line) - gsub(/\}/, "}", line)
	}' "$@"
}

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/planted.h" <<'END'
/* What it is. */
#define X 1

/* Covered. */
bool one(int a);
struct buf *two(int a,
		int b);

struct three {
	int (*call)(int); /* not a declaration */
};

typedef void (*four)(int);

void five(void);
END
found=
if [ "$(undocumented "$tmp/planted.h")" != "$tmp/planted.h:15: no comment above five" ]; then
	found+="headers.sh does not see what was planted: $(undocumented "$tmp/planted.h")"$'\n'
fi

mapfile -t headers < <("${MAKE:-make}" -s --no-print-directory public)
if [ ${#headers[@]} -eq 0 ]; then
	echo "no public headers found"
	exit 1
fi
found+=$(undocumented "${headers[@]}")
# What a header needs may go away from another one: when one has changed, all are compiled.
how=$("${CC:-gcc}" --version && cat "${headers[@]}" libanalyze/*/*.def schemas/*.def)
mkdir "$tmp/alone"
changed headers "$how" "${headers[@]}" | while IFS= read -r -d '' header; do
	printf '#include "%s"\n' "$PWD/$header" >"$tmp/alone/${header//\//-}.c"
done
found+=$(find "$tmp/alone" -name '*.c' -print0 | xargs -r -0 -n 16 -P "$(nproc)" "${CC:-gcc}" -std=c11 -D_GNU_SOURCE \
	-Wall -Wextra -Wpedantic -Werror -Ilibanalyze -I. -fsyntax-only 2>&1 | sed 's,^,alone: ,')
printf '#include "%s"\n' "${headers[@]#libanalyze/}" >"$tmp/all.c"
found+=$("${CC:-gcc}" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -Ilibanalyze -I. \
	-fsyntax-only "$tmp/all.c" 2>&1 | sed 's,^,all headers together: ,')
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	exit 1
fi
clean headers "$how" "${headers[@]}"
