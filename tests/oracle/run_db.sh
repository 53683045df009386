#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Traces, their run.db, and a run.db of their run.dbs: every question of kstats and all events, the same bytes.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

if ! command -v python3 >/dev/null; then
	echo "not run: no python3"
	exit 77
fi
sets=("${TESTDATA:-$root/testdata}")
if [ -n "${TRACEMILL_SHARED-}" ]; then
	sets+=("$TRACEMILL_SHARED"/data/{legacy,sdk_traces,libraries/rccl})
else
	echo "NOT COMPARED: the traces of ../shared, which is not there"
fi
cd "$work" || exit 2
python3 -B "$here/run_db.py" "${sets[@]}"
