#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The filters of every tool against the rules applied to the rows of tracecat: see filters.py.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
exec python3 -B "$here/filters.py" "$root/testdata"
