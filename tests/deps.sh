#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the Debian packages that a part of the project needs and this machine lacks.
#
#   tests/deps.sh build|check|browser|slurm|bench|deb|debcheck|lint|coverage ...
#
# Says nothing and takes no time when all is there.  Where there is no apt-get it names what is
# missing and leaves the verdict to the compiler, which may find things elsewhere.
set -u

declare -A packages=(
	[build]='gcc make libc6-dev libcsv-dev libsqlite3-dev zlib1g-dev libzstd-dev libarchive-dev libiberty-dev
		protobuf-c-compiler libprotobuf-c-dev'
	[lint]='gcc g++ pkgconf clang-format mandoc shellcheck'
	[check]='clang libclang-rt-dev clang-format mandoc shellcheck python3 sqlite3 gawk zstd gzip
		tar zip p7zip-full bzip2 xz-utils diffutils libyajl-dev g++ pkgconf valgrind libxml2-utils perl
		gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static strace zsh fish'
	[slurm]='slurmctld slurmd slurm-client munge'
	[deb]='debhelper dpkg-dev fakeroot'
	[debcheck]='debootstrap'
	[coverage]='clang libclang-rt-dev llvm python3 sqlite3 gawk zstd gzip tar zip p7zip-full bzip2 xz-utils diffutils
		libyajl-dev libxml2-utils perl
		gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static'
	[browser]='chromium-headless-shell nodejs'
	[bench]='python3-pandas sqlite3 nodejs npm valgrind'
)

if [ $# -eq 0 ]; then
	echo "deps.sh: name what for: ${!packages[*]}" >&2
	exit 2
fi
wanted=()
for set; do
	if [ -z "${packages[$set]-}" ]; then
		echo "deps.sh: no set $set; choose from ${!packages[*]}" >&2
		exit 2
	fi
	read -r -d '' -a more <<<"${packages[$set]}"
	for package in "${more[@]}"; do
		# Other builds of Node.js bring npm along and conflict with Debian's.
		if [ "$package" != npm ] || ! command -v npm >/dev/null; then
			wanted+=("$package")
		fi
	done
done

# Print those of the packages that are not installed.
missing() {
	# It complains of and fails for names it never heard of: those are missing, like the rest.
	dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
		awk -v wanted="$*" '
			$1 == "installed" { have[$2] = 1 }
			END {
				n = split(wanted, w, " ")
				for (i = 1; i <= n; i++)
					if (!(w[i] in have) && !seen[w[i]]++)
						print w[i]
			}'
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
	echo "deps.sh: no apt-get here; if the build fails, install what Debian calls: ${wanted[*]}" >&2
	exit 0
fi
mapfile -t lack < <(missing "${wanted[@]}")
if [ ${#lack[@]} -eq 0 ]; then
	exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null; then
		echo "deps.sh: not root and no sudo; install: ${lack[*]}" >&2
		exit 1
	fi
	as_root=(sudo -n)
fi
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

quietly() {
	if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -q \
		-o DPkg::Lock::Timeout=300 "$@" \
		</dev/null >"$log" 2>&1; then
		cat "$log" >&2
		return 1
	fi
}

echo "deps.sh: installing ${lack[*]}"
# Old lists are good enough if they lead to the packages; a mirror that is down is no reason to stop.
if ! quietly update; then
	echo "deps.sh: apt-get update failed; going on with the lists that are here" >&2
fi
if ! quietly install --no-install-recommends "${lack[@]}"; then
	echo "deps.sh: could not install: ${lack[*]}" >&2
	exit 1
fi
