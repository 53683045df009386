#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How large the totals of a rank of a million events are, and what merging many of them takes.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
make_work
cd "$work" || exit 2
python3 -B "$here/stats_size.py" "$BUILD"
