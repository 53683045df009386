#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What kstats gemm --tiles and --types say of names against regular expressions: names of Tensile's grammar, and every
# real name of the shared data.
# TRACEMILL_SHARED is the folder (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
names=()
if [ -f "$shared/data/kernel_names.tsv" ]; then
	names+=("$shared/data/kernel_names.tsv")
else
	echo "not there: the shared data; only random names are compared"
fi
exec python3 -B "$here/kernel_facts.py" "${names[@]}"
