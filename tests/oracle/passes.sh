#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Which tables of counters are passes of one run, and parts of one table: random programs of which each pass lost many
# dispatches, two programs in directories of passes, and tables cut anywhere.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
make_work
cd "$work" || exit 2
python3 -B "$here/passes.py"
