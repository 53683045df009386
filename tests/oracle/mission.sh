#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The two statistics files of the project's brief, to the digit, alone and pooled; and the deviations
# that rocprofv3 spoils past a total of 2^32 ns come back as the true ones or not at all.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH
shared=${TRACEMILL_SHARED:-$root/../shared}
resnet=${TESTDATA:-$root/testdata}/rocprofv3/resnet

if [ ! -d "$resnet" ]; then
	resnet=$shared/data/mission
fi
if [ ! -d "$resnet" ] || ! command -v python3 >/dev/null; then
	echo "not run: no statistics files or no python3"
	exit 77
fi
exec python3 -B "$here/mission.py" "$resnet" "$shared"
