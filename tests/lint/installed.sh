#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `make install` puts in place is enough: the example program compiles against it alone, shared and
# static, and runs; tracemill.h is C++, too; what was installed can be removed without a trace.
set -u
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root" || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cc=${CC:-gcc}
fail() {
	printf '%s\n' "$*"
	exit 1
}

# The knobs of the build that is tested: its name must come out of them again.
knobs=()
for flags in '-O3 -Werror' '-O3 -g -Werror'; do # make check, make quick
	mine=("CC=$cc" "CFLAGS=$flags")
	if [ "$(make -s --no-print-directory "${mine[@]}" where)" = "build/$(basename "${BUILD:-none}")" ]; then
		knobs=("${mine[@]}")
	fi
done
make -s --no-print-directory "${knobs[@]}" install DESTDIR="$tmp/here" PREFIX=/usr >"$tmp/log" 2>&1 ||
	fail "make install failed: $(cat "$tmp/log")"
[ -f "$tmp/here/usr/share/tracemill/kernel_classes.tsv" ] || fail "no kernel_classes.tsv where the manual says"
for f in schemas/presets/*.rules; do
	cmp -s "$f" "$tmp/here/usr/share/tracemill/presets/${f##*/}" || fail "no ${f##*/} where the manual says"
done
for f in docs/slurm/*.sbatch; do
	cmp -s "$f" "$tmp/here/usr/share/tracemill/slurm/${f##*/}" || fail "no ${f##*/} where docs/slurm.md says"
done
soname=$(readelf -d "$tmp/here/usr/lib/libanalyze.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
[ -f "$tmp/here/usr/lib/$soname" ] || fail "soname $soname is not installed"

flags() {
	PKG_CONFIG_PATH=$tmp/here/usr/lib/pkgconfig pkg-config "$@" tracemill
}
cd "$tmp" || exit 1
cp "$root/docs/examples/longest.c" .
printf '#include <tracemill.h>\nint main() { return tm_buf_fini(0), 0; }\n' >all.cc
read -r -a shared < <(flags --cflags --libs)
read -r -a static < <(flags --cflags --libs --static)
"$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror -o shared longest.c "${shared[@]}" || fail "longest.c does not compile"
"$cc" -std=c11 -Wall -o static longest.c "${static[@]/#-lanalyze/-l:libanalyze.a}" || fail "longest.c does not link with libanalyze.a"
g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only all.cc "${shared[@]}" || fail "tracemill.h is no C++"

want='3 dispatches, 60 ns; longest: 30 ns, c'
printf '%s\n' '"Kind","Agent_Id","Queue_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"' \
	'"KERNEL_DISPATCH",1,1,1,1,1,"a",1,100,110' '"KERNEL_DISPATCH",1,1,1,2,2,"b",2,200,220' \
	'"KERNEL_DISPATCH",1,1,1,3,3,"c",3,300,330' >trace.csv
for how in shared static; do
	got=$(LD_LIBRARY_PATH=$tmp/here/usr/lib "./$how" trace.csv)
	[ "$got" = "$want" ] || fail "longest ($how) printed '$got', not '$want'"
done

cd "$root" || exit 1
make -s --no-print-directory "${knobs[@]}" uninstall DESTDIR="$tmp/here" PREFIX=/usr ||
	fail "make uninstall failed"
[ -z "$(find "$tmp/here" -type f -o -type l)" ] || fail "left after make uninstall: $(find "$tmp/here" -type f -o -type l)"

# The source archive: the same bytes twice, and nothing is missing that git knows.
for one in one two; do
	tests/dist.sh 1.0 "$tmp/$one.tar.gz" >/dev/null || fail "make dist failed"
done
cmp "$tmp/one.tar.gz" "$tmp/two.tar.gz" || fail "make dist is not reproducible"
