#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What other tools of this kind get wrong, and kstats top must not: units, cumulative shares, lost
# processes, lumped names, NaN, exit statuses, 5 s kernels, many inputs, twins, nothing, order.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
exec python3 -B "$here/peers.py"
