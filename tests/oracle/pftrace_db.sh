#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tracemerge of pftraces, asked by the sqlite3 shell: each of four ranks adds up to what its own CSV says;
# of damaged and cut traces what is readable is there, and what is lost is counted on standard
# error and in the table loss alike.  TRACEMILL_SHARED: see shared_csv.sh; the traces there are tried too.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH
shared=${TRACEMILL_SHARED:-$root/../shared}

for need in python3 sqlite3 gen_pftrace; do
	if ! command -v "$need" >/dev/null; then
		echo "not run: no $need"
		exit 77
	fi
done
if [ ! -d "$shared/data/sdk_traces" ]; then
	echo "NOT COMPARED: the traces of ../shared, which is not there"
	shared=
fi
exec python3 -B "$here/pftrace_db.py" ${shared:+"$shared/data/sdk_traces"}
