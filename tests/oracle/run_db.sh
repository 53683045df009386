#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Traces, their run.db, and a run.db of their run.dbs: every question of kstats and all events, the same bytes.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
make_work
sets=("${TESTDATA:-$root/testdata}")
if [ -d "$shared/data" ]; then
	shared=$(cd "$shared" && pwd)
	sets+=("$shared"/data/{legacy,sdk_traces,libraries/rccl})
else
	echo "NOT COMPARED: the traces of $shared, which is not there"
fi
cd "$work" || exit 2
python3 -B "$here/run_db.py" "${sets[@]}"
