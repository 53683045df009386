#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What other tools of this kind get wrong, and kstats top must not: units, cumulative shares, lost
# processes, lumped names, NaN, exit statuses, 5 s kernels, many inputs, twins, nothing, order.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH

if ! command -v python3 >/dev/null; then
	echo "not run: no python3"
	exit 77
fi
exec python3 -B "$here/peers.py"
