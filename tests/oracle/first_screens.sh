#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The first screen of ten real runs, at 80 and at 120 columns: byte by byte what was looked at, and first the finding
# that somebody who knows the run names first.  --accept writes the screens anew.
# TRACEMILL_SHARED is the folder of shared data (default: ../shared beside the checkout).
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH
shared=${TRACEMILL_SHARED:-$root/../shared}

if [ ! -d "$shared/data/real" ]; then
	echo "not run: no real traces in $shared"
	exit 77
fi
shared=$(cd "$shared" && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C
failed=0
screens=0
cd "$tmp" || exit 1
while IFS=$'\t' read -r name first path; do
	case $name in '#'* | '') continue ;; esac
	ln -s "$shared/data/$path" "$name"
	for columns in 80 120; do
		COLUMNS=$columns kstats -q "$name" >"$name.$columns" || echo "status $?" >>"$name.$columns"
		[ "${1-}" = --accept ] && cp "$name.$columns" "$here/first_screens/$name.$columns"
		if ! diff "$here/first_screens/$name.$columns" "$name.$columns"; then
			echo "$name, $columns columns: not the screen that was looked at"
			failed=1
		fi
		if awk -v most="$columns" '/^ *kstats / { next } length > most { exit 1 }' "$name.$columns"; then :; else
			echo "$name: wider than $columns columns"
			failed=1
		fi
		screens=$((screens + 1))
	done
	kstats -q -f csv "$name" >rows.csv
	got=$(awk -F, '/^finding.*\.id,/ { print $6 }' rows.csv | grep -v -x -f "$here/first_screens/doubts" | head -n 1)
	if [ "${got:--}" != "$first" ]; then
		echo "$name: the first finding is '$got', not '$first'"
		failed=1
	fi
done <"$here/first_screens/runs.tsv"
echo "$screens screens"
[ "$screens" = 20 ] || failed=1
exit $failed
