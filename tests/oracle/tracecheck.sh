#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tracecheck against the same rules judged from what kstats prints.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
exec python3 -B "$here/tracecheck.py" "${1:-$root/testdata}"
