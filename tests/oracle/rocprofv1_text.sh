#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Text files of rocprof v1 read a second time, by regular expressions, and beside the results.db and results.json that
# rocprof's own script made of them; shipped, real and random ones.
# TRACEMILL_SHARED is the folder of real traces (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
python3 -B "$here/rocprofv1_text.py" "${TESTDATA:-$root/testdata}" || exit
if [ ! -d "$shared/data" ]; then
	echo "not run: no real traces in $shared/data; the others were good"
	exit 77
fi
python3 -B "$here/rocprofv1_text.py" "$(cd "$shared/data" && pwd)"
