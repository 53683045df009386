#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Words that should not be there, and rooms that grew.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

# Everything but what the build made; git is not asked, a tarball is checked the same.
mapfile -d '' all_files < <(find . \( -path ./build -o -path ./.git \) -prune -o -type f -print0 |
	sort -z)

# NUL-separated files whose path fits one of the patterns, for which "/" is a letter like others.
ours() {
	local f pattern
	for f in "${all_files[@]#./}"; do
		for pattern; do
			# shellcheck disable=SC2053 # it is a pattern
			if [[ $f == $pattern ]]; then
				printf '%s\0' "$f"
				break
			fi
		done
	done
}

# The same without the data.
written() {
	ours "$@" | grep -zvE '^testdata/|\.tsv$'
}

# Of the files listed on stdin, "FILE:LINE: what: text" for each line that fits.
look() {
	xargs -0 -r grep -sHnIE "$2" | cut -c 1-160 | sed -E "s,^[^:]*:[0-9]*:,& $1: ,"
}

# The same in C without comments and strings.
code() {
	xargs -0 -r awk -f tests/lint/strip.awk | grep -E "^[^:]*:[0-9]*:.*$2" |
		sed -E "s,^[^:]*:[0-9]*:,& $1: ,"
}

unfinished='\b(T[O]DO|FIX[M]E|X[X]X|HAC[K])\b|no[t] implemented|un[i]mplemented'
unchecked='\b(atoi|atol|atoll|atof|strcpy|strcat|sprintf|vsprintf|gets|strtok)[[:blank:]]*\('
# Of words with two spellings the American one, as in --color and the class optimizer.
british='(recogni|normali|synchroni|initiali|saniti|optimi|summari)[s](e|ed|er|ing|ation)|(neighb|behavi)ou[r]'
floating='\b(double|float)\b[^;()]*(_ns|timestamp)\b'

sizes() {
	ours 'cmd/*.c' 'libanalyze/*.[ch]' 'libanalyze/*.inc' | xargs -0 -r awk '
		function judge() {
			if (file ~ /^cmd\// && n > 300)
				print file ": " n " lines, of 300: a module is hiding in it"
			else if (n > 900)
				print file ": " n " lines, of 900: more than one room"
		}
		FNR == 1 { judge(); file = FILENAME }
		{ n = FNR }
		END { judge() }'
	ours 'cmd/*.c' 'libanalyze/*.c' 'libanalyze/*.inc' 'tests/*.c' | xargs -0 -r awk '
		FNR == 1 { n = 0 }
		/^\{/ { n = FNR }
		/^\}/ {
			if (n && FNR - n > 90)
				print FILENAME ":" n ": a function of " FNR - n " lines, of 90"
			n = 0
		}'
}

all() {
	written '*' | look unfinished "$unfinished"
	written '*' | look 'not as elsewhere' "$british"
	written '*' | look 'a path of one machine' '/(work|farm|root|home)/'
	ours 'testdata/*' '*.tsv' | look 'a path of one machine' '/(work|farm|root)/' |
		head -n 20
	ours '*.c' '*.h' '*.inc' | code 'unchecked call' "$unchecked"
	ours 'libanalyze/read/*.[ch]' 'libanalyze/model/*.[ch]' |
		code 'a time in floating point' "$floating"
	sizes
	# C and shell begin with their license.
	ours '*.c' '*.h' '*.inc' '*.def' '*.sh' '*.awk' '*.py' '*.mjs' '.ci/run' | grep -zv '^tests/cli/' |
		xargs -0 -r awk '
			function judge() {
				if (file && !has)
					print file ": does not begin with its SPDX line"
			}
			FNR == 1 { judge(); file = FILENAME; has = 0 }
			FNR <= 2 && /SPDX-License-Identifier: MIT/ { has = 1 }
			FNR > 2 { nextfile }
			END { judge() }'
}

# A lint that sees nothing passes too, so it is tried on what is planted here.
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
self_test() {
	local n
	{
		printf '/* T%s: at %shome/me */\n' ODO /
		printf 'int n = atoi(s); /* sprintf() */ p("gets(");\n'
		printf '\tdouble start_ns = 1;\n'
		printf '/* recogni%s */\n' sed
	} >"$tmp/planted.c"
	printf '%s\0' "$tmp/planted.c" >"$tmp/list"
	n=$({
		look unfinished "$unfinished" <"$tmp/list"
		look british "$british" <"$tmp/list"
		look path '/(work|farm|root|home)/' <"$tmp/list"
		code unchecked "$unchecked" <"$tmp/list"
		code floating "$floating" <"$tmp/list"
	} | sed 's/.*planted.c:\([0-9]\): \([a-z]*\).*/\1\2/' | tr '\n' ' ')
	if [ "$n" != '1unfinished 4british 1path 2unchecked 3floating ' ]; then
		echo "words.sh does not see what was planted: $n"
	fi
	if [ "$(ours '*.c' | wc -c)" -eq 0 ]; then
		echo "words.sh finds no source files"
	fi
}

found=$(
	self_test
	all
)
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	exit 1
fi
