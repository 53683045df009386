#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the Debian packages into a fresh system (debootstrap), runs them there and removes them.
#
#   tests/deb_check.sh DIRECTORY_OF_PACKAGES [MIRROR]
#
# The system is a directory that is removed at the end; nothing is mounted.  It needs root, debootstrap and a
# mirror (default: the first of apt's own), and takes two minutes.
set -eu
export LC_ALL=C.UTF-8
[ $# -ge 1 ] || {
	echo "deb_check.sh: give the directory of the packages" >&2
	exit 2
}
debs=$(cd "$1" && pwd)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck disable=SC2016 # apt expands it
mirror=${2:-$(apt-get indextargets --format '$(SITE)' | grep -m 1 debian.org/debian || :)}
# shellcheck source=/dev/null # the system's own
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
system=$(mktemp -d)
trap 'rm -rf "$system"' EXIT
trap 'exit 130' INT TERM

fail() {
	printf 'deb_check.sh: %s\n' "$*" >&2
	exit 1
}

# quietly COMMAND...: its output only if it fails
quietly() {
	"$@" >"$system.log" 2>&1 </dev/null || {
		tail -n 30 "$system.log" >&2
		fail "failed: $*"
	}
	rm -f "$system.log"
}

inside() {
	chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
		DEBIAN_FRONTEND=noninteractive "$@"
}

[ "$(id -u)" -eq 0 ] || fail "chroot needs root"
quietly debootstrap --variant=minbase "$suite" "$system/" "${mirror:-http://deb.debian.org/debian}"
mkdir "$system/packages" "$system/data"
find "$debs" -maxdepth 1 -name '*.deb' ! -name '*dbgsym*' -exec cp {} "$system/packages/" \;
cp "$root/testdata/rocprofv3/7.0/demo/1234_kernel_trace.csv" "$system/data/"

quietly inside sh -c 'apt-get -y -q install --no-install-recommends man-db && dpkg -l >/before'
quietly inside sh -c 'apt-get -y -q install --no-install-recommends /packages/*.deb && dpkg --audit && dpkg --verify'
for package in tracemill libanalyze0 libanalyze-dev; do
	inside dpkg -s "$package" >/dev/null || fail "$package is not installed"
done

# The answer is that of the tools that were built here.
inside kstats top -q -n 3 /data/1234_kernel_trace.csv >"$system/got" || fail "kstats top does not run"
"$root/build/bin/kstats" top -q -n 3 "$system/data/1234_kernel_trace.csv" | diff - "$system/got" ||
	fail "kstats top says something else there"
for tool in "$root"/cmd/*.c; do
	tool=$(basename "$tool" .c)
	inside "$tool" -V >/dev/null || fail "$tool -V does not run"
	inside man -w "$tool" >/dev/null || fail "no manual page of $tool"
done
inside man kstats 2>/dev/null | grep -q 'kstats' || fail "man kstats prints nothing"
inside sh -c 'test -f /usr/share/tracemill/kernel_classes.tsv' || fail "no kernel_classes.tsv"

inside dpkg -L tracemill libanalyze0 libanalyze-dev | sort -u >"$system/had"
quietly inside sh -c 'apt-get -y -q purge tracemill libanalyze0 libanalyze-dev'
while IFS= read -r path; do
	if [ -f "$system$path" ] || [ -L "$system$path" ]; then
		[ -n "$(inside dpkg -S "$path" 2>/dev/null)" ] || fail "left after purge: $path"
	fi
done <"$system/had"
if inside sh -c 'command -v kstats' >/dev/null; then
	fail "kstats is still there after purge"
fi
echo "installed, run and removed in a fresh $suite: $(cd "$debs" && echo *.deb | tr ' ' '\n' | grep -vc dbgsym) packages"
