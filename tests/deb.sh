#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the Debian packages from the source archive, as a distribution would.
#
#   tests/deb.sh MAKE VERSION OUT_DIRECTORY
set -eu
[ $# -eq 3 ] || {
	echo "deb.sh: give MAKE, VERSION and OUT_DIRECTORY" >&2
	exit 2
}
make=$1 version=$2
mkdir -p "$3"
out=$(cd "$3" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rm -rf "$out/tracemill-$version"
"$make" -s --no-print-directory dist
tar -xzf "build/tracemill-$version.tar.gz" -C "$out"
cp -R docs/packaging/debian "$out/tracemill-$version/debian"
cd "$out/tracemill-$version"
# The version stands in the Makefile alone; the changelog that Debian wants repeats it.
cat >debian/changelog <<END
tracemill ($version-1) unstable; urgency=medium

  * See /usr/share/doc/tracemill/CHANGELOG.md.

 -- tracemill developers <tracemill@localhost>  $(date -u -R -d "@${SOURCE_DATE_EPOCH:-0}")
END
if ! dpkg-buildpackage -us -uc -b -d >"$out/build.log" 2>&1; then
	tail -30 "$out/build.log" >&2
	exit 1
fi
ls "$out"/*.deb
