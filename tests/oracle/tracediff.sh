#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tracediff against an independent comparison of the same random runs, and its verdicts on simulated pairs.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
exec python3 -B "$here/tracediff.py" "$@"
