#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Text inputs cut anywhere: what is left counts, what is not whole does not, and it is said.
#     cuts.sh         a sample of the files
#     cuts.sh full    all of them, at every place of their last lines (tests/fuzz/fuzz.sh)
# TRACEMILL_SHARED: see shared_csv.sh.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
sample=(--files $((${EFFORT:-100} < 10 ? 30 : 90)) --cuts 3)
if [ "${1-}" = full ]; then
	sample=()
fi
if [ ! -d "$shared/data" ]; then
	python3 -B "$here/cuts.py" "${sample[@]}" "$root/testdata" || exit 1
	echo "not run: shared data absent (the samples that ship agree)"
	exit 77
fi
exec python3 -B "$here/cuts.py" "${sample[@]}" "$root/testdata" "$shared/data"
