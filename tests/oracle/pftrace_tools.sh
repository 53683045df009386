#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The real tools on Perfetto traces: rows of tracecat against the truth files, kstats top of the same run
# as pftrace and as CSV.  TRACEMILL_SHARED: see shared_csv.sh; without it only generated runs are tried.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH
shared=${TRACEMILL_SHARED:-$root/../shared}

for need in python3 gen_pftrace; do
	if ! command -v "$need" >/dev/null; then
		echo "not run: no $need"
		exit 77
	fi
done
if [ ! -d "$shared/data/sdk_traces" ]; then
	echo "NOT COMPARED: the traces of ../shared, which is not there"
	shared=
fi
exec python3 -B "$here/pftrace_tools.py" ${shared:+"$shared/data/sdk_traces"}
