#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What other tools of this kind get wrong, and the sub-commands of kstats must not: units, processes, spans,
# overlaps, false gaps, stream 0, negative times, many inputs, nothing, SQL, order.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
exec python3 -B "$here/peers_metrics.py"
