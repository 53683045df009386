#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What other tools of this kind get wrong, and the sub-commands of kstats must not: units, processes, spans,
# overlaps, false gaps, stream 0, negative times, many inputs, nothing, SQL, order.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH

if ! command -v python3 >/dev/null; then
	echo "not run: no python3"
	exit 77
fi
exec python3 -B "$here/peers_metrics.py"
