#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The test of significance against an independent one, and what it finds in simulated measurements.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
exec python3 -B "$here/significance.py" "$@"
