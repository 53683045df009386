#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# libperf bench on logs of rccl-tests and nccl-tests against an independent reading of the same files, and against the
# average that the tests print themselves.
# TRACEMILL_SHARED is the folder (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
if [ ! -d "$shared/data/real" ]; then
	echo "not run: no logs of rccl-tests at $shared/data/real"
	exit 77
fi
exec python3 -B "$here/libperf_comm.py" "$shared/data/real"
