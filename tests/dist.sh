#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The source archive: what git knows, as it stands in the working tree, below tracemill-VERSION/.
# The same tree gives the same bytes.
#
#   tests/dist.sh VERSION OUT.tar.gz
set -eu -o pipefail
export LC_ALL=C
[ $# -eq 2 ] || {
	echo "dist.sh: give VERSION and OUT.tar.gz" >&2
	exit 2
}
mkdir -p "$(dirname "$2")"
out=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# An archive that was unpacked has no git: then it is everything but what was built.
files() {
	if git rev-parse --is-inside-work-tree >/dev/null 2>&1 && [ -d .git ] || [ -f .git ]; then
		git ls-files -z
	else
		find . -path ./build -prune -o \( -type f -o -type l \) -printf '%P\0'
	fi
}
files | sort -z |
	tar --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw --mtime=@0 \
		--transform="flags=r;s,^,tracemill-$1/," --null --no-recursion --files-from=- -cf - | gzip -9n >"$out.new"
mv "$out.new" "$out"
echo "$2"
