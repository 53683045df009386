#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every CSV of the shared and the shipped data: the rows of tracecat, cell by cell, are those an
# independent reader finds; NDJSON holds the same values; rows in another order sort to the same bytes.
# TRACEMILL_SHARED is the folder (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
folders=("$root/testdata")
if [ -d "$shared/data" ]; then
	folders+=("$(cd "$shared/data" && pwd)")
fi
exec python3 -B "$here/tracecat.py" "${folders[@]}"
