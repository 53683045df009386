#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every fuzz target over what ships and what once went wrong, and over 20 changes of it for each percent
# of EFFORT (2000), the same each time: nothing crashes, hangs or breaks a law of the batch.
set -u
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2

bad=0
ran=0
for target in "$BUILD"/fuzz/*; do
	[ -x "$target" ] || continue
	ran=$((ran + 1))
	if ! "$target" --mutate "$((20 * ${EFFORT:-100}))" "$TESTDATA" "$ROOT/tests/fuzz/regressions" >said 2>&1; then
		bad=$((bad + 1))
		echo "${target##*/}:"
		tail -n 20 said
	fi
done
formats=$(grep -c '^FORMAT(' "$ROOT/libanalyze/read/formats.def")
if [ "$ran" -ne $((formats + 8)) ]; then
	echo "$ran targets for $formats formats, the scanner, JSON, readings of power, problems, logs of libraries and measurements, pages, what questions keep: make replays"
	exit 1
fi
echo "$ran targets, $bad stopped"
[ "$bad" -eq 0 ]
