#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A run that was written in two formats gives the same kstats top from both, but for what is known of the
# producer.  TRACEMILL_SHARED: see shared_csv.sh.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
if [ ! -d "$shared/data" ]; then
	python3 -B "$here/formats.py" "$root/testdata" || exit 1
	echo "not run: shared data absent (the samples that ship agree)"
	exit 77
fi
exec python3 -B "$here/formats.py" "$root/testdata" "$(cd "$shared/data" && pwd)"
