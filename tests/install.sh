#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Puts the tools, man pages, completions and the library in their places, or takes them away.
#
#   tests/install.sh install DESTDIR PREFIX BUILD VERSION LIBS HEADER...
#   tests/install.sh uninstall DESTDIR PREFIX
#
# LIBDIR in the environment is the directory of libraries below PREFIX (default: lib).
#
# What was put there is listed in PREFIX/share/tracemill/installed, so uninstall removes exactly
# that, whatever the source tree looks like by then.  Installing again removes the old files first.
set -eu
umask 022

die() {
	printf 'install.sh: %s\n' "$*" >&2
	exit 2
}

uninstall() {
	local path
	[ -f "$root/$list" ] || die "nothing to remove: no $root/$list"
	cp "$root/$list" "$tmp/there"
	if grep -qE '^/|(^|/)\.\.(/|$)' "$tmp/there"; then
		die "$root/$list names paths outside of $root; nothing removed"
	fi
	# Directories come last and deepest first, unless something else lives there by now.
	grep -v '/$' "$tmp/there" | (cd "$root" && xargs -r -d '\n' rm -f --)
	grep '/$' "$tmp/there" | sort -r | while IFS= read -r path; do
		rmdir --ignore-fail-on-non-empty "$root/$path" 2>/dev/null || :
	done
}

# A directory below $root, and who made it.
directory() {
	local path=
	local -a parts
	IFS=/ read -r -a parts <<<"$1"
	for part in "${parts[@]}"; do
		path+=$part/
		if [ ! -d "$root/$path" ]; then
			mkdir "$root/$path"
			printf '%s\n' "$path" >>"$tmp/put"
		fi
	done
}

# put MODE FILE PATH: a file to a path below $root
put() {
	directory "${3%/*}"
	install -m "$1" "$2" "$root/$3"
	printf '%s\n' "$3" >>"$tmp/put"
}

completion() {
	"$build/$1" --completion "$2" >"$tmp/text"
	put 644 "$tmp/text" "$3"
}

pkgconfig() {
	cat <<-END
		libdir=\${pcfiledir}/..
		includedir=\${libdir}/$up/include/tracemill

		Name: tracemill
		Description: readers and statistics of AMD GPU profiler traces
		Version: $version
		Cflags: -I\${includedir}
		Libs: -L\${libdir} -lanalyze
		Libs.private: $libs
	END
}

put_all() {
	local f tool
	for f in cmd/*.c; do
		tool=${f##*/}
		tool=${tool%.c}
		put 755 "$build/$tool" "bin/$tool"
		completion "$tool" bash "share/bash-completion/completions/$tool"
		completion "$tool" zsh "share/zsh/site-functions/_$tool"
		completion "$tool" fish "share/fish/vendor_completions.d/$tool.fish"
	done
	for f in docs/man/*.[1-9]; do
		put 644 "$f" "share/man/man${f##*.}/${f##*/}"
	done
	put 644 schemas/kernel_classes.tsv share/tracemill/kernel_classes.tsv
	for f in schemas/presets/*.rules; do
		put 644 "$f" "share/tracemill/presets/${f##*/}"
	done
	for f in docs/slurm/*.sbatch; do
		put 644 "$f" "share/tracemill/slurm/${f##*/}"
	done
	put 644 "$build/libanalyze.a" "$libdir/libanalyze.a"
	put 644 "$build/$so" "$libdir/$so"
	ln -sf "$so" "$root/$libdir/libanalyze.so"
	printf '%s\n' "$libdir/libanalyze.so" >>"$tmp/put"
	put 644 "$build/gen/tracemill.h" include/tracemill/tracemill.h
	for f; do
		put 644 "$f" "include/tracemill/${f#libanalyze/}"
	done
	pkgconfig >"$tmp/text"
	put 644 "$tmp/text" "$libdir/pkgconfig/tracemill.pc"
	directory "$(dirname "$list")"
	printf '%s\n' "$list" >>"$tmp/put"
	install -m 644 "$tmp/put" "$root/$list"
}

cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [ $# -lt 3 ]; then
	die "say install or uninstall, DESTDIR and PREFIX"
fi
case $2$3 in
/*) ;;
*) die "DESTDIR and PREFIX must begin with a slash, not '$2$3'" ;;
esac
root=$2$3
list=share/tracemill/installed
# Distributions have a directory of libraries for each architecture: LIBDIR=lib/x86_64-linux-gnu.
libdir=${LIBDIR:-lib}
libdir=${libdir%/}
up=..${libdir//[!\/]/}
up=${up//\//\/..}
so=libanalyze.so.0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
case $1 in
install)
	[ $# -ge 7 ] || die "install needs DESTDIR PREFIX BUILD VERSION LIBS HEADER..."
	build=$4 version=$5 libs=$6
	if [ -f "$root/$list" ]; then
		uninstall
	fi
	mkdir -p "$root"
	put_all "${@:7}"
	;;
uninstall) uninstall ;;
*) die "no such job: $1" ;;
esac
