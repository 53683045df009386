#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Random jobs on random clocks through tracemerge: is what it says may be left as much as is left?
#     tests/oracle/clocks.sh [CASES [verbose]]      CASES: 200, or what EFFORT leaves of them
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
make_work
python3 -B "$here/clocks.py" "$work" "$@"
