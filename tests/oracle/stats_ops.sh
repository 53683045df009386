#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Operators of random ranks, from their traces and from totals that were merged by any tree.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
make_work
cd "$work" || exit 2
python3 -B "$here/stats_ops.py"
