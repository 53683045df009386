#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every tool has its cases, its page and its mention; every script passes shellcheck; no golden is
# left behind without its case.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck disable=SC1091 # it is looked at by itself
. tests/lint/clean.bash

how=$(shellcheck --version 2>&1)
mapfile -d '' files < <(find tests .ci docs -type f \( -name '*.sh' -o -path .ci/run \) -print0 | sort -z)

tools() {
	local f tool n=0
	for f in cmd/*.c; do
		[ -f "$f" ] || continue
		n=$((n + 1))
		tool=$(basename "$f" .c)
		if [ -z "$(find "tests/cli/$tool" -name '*.sh' -print -quit)" ]; then
			echo "tests/cli/$tool: no cases for $tool"
		fi
		if [ ! -f "docs/man/$tool.1" ]; then
			echo "docs/man/$tool.1: missing"
		fi
		if ! grep -qsw "$tool" README.md; then
			echo "README.md: does not mention $tool"
		fi
	done
	if [ "$n" -eq 0 ]; then
		echo "cmd: no tools found"
	fi
	for f in 'make demo' 'make check'; do
		if ! grep -qs "$f" README.md; then
			echo "README.md: does not show $f"
		fi
	done
	if ! grep -q 'make check' .ci/run; then
		echo ".ci/run: does not call make check"
	fi
}

goldens() {
	local f status
	for f in tests/cli/*/*.sh.* tests/cli/*/*/*.sh.*; do
		[ -f "$f" ] || continue
		case $f in
		*.sh.stdout | *.sh.stderr | *.sh.exit) ;;
		*)
			echo "$f: neither a case nor a golden"
			continue
			;;
		esac
		if [ ! -f "${f%.*}" ]; then
			echo "$f: a golden without ${f%.*}"
		elif [ ! -s "$f" ]; then
			echo "$f: empty, leave it out"
		fi
	done
	for f in tests/cli/*/*.sh.exit tests/cli/*/*/*.sh.exit; do
		[ -f "$f" ] || continue
		status=$(<"$f")
		case $status in
		1 | 2) ;;
		*) echo "$f: status $status; the tools know 0 (no file), 1 and 2" ;;
		esac
	done
}

scripts() {
	if ! command -v shellcheck >/dev/null; then
		echo "shellcheck is not installed; run tests/deps.sh lint"
		return
	fi
	# Cases are run by sh and have no first line that says so.
	changed tests "$how" "${files[@]}" | grep -zv '^tests/cli/' | xargs -0 -r -n 8 -P "$(nproc)" shellcheck
	changed tests "$how" "${files[@]}" | grep -z '^tests/cli/' | xargs -0 -r -n 32 -P "$(nproc)" shellcheck -s sh
}

found=$(
	tools
	goldens
	scripts
)
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	exit 1
fi
clean tests "$how" "${files[@]}"
