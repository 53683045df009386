#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs of random programs, some damaged, through every question: no crash, no silence (tests/fuzz/hostile_programs.py).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
HOSTILE_SECONDS=120 exec python3 -B "$root/tests/fuzz/hostile_programs.py" "$BUILD" 1 $((${EFFORT:-100} * 2 / 5 + 2))
