#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The same events give the same bytes: any -j, order of rows, pieces, compression, archive, pipe, line end,
# BOM, case of the header, order of columns, quoting; and windows and ranks choose what they say.
# ORACLE_SCALE makes the inputs smaller or larger (default 1).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
make_work
gen=${GEN-}
for try in "$gen" "${BUILD:-$root/build/bin}"/{,gen/}gen_csv "$root"/build/*/gen/gen_csv; do
	gen=$try
	if [ -x "$gen" ]; then
		break
	fi
done
if [ ! -x "$gen" ]; then
	gen=$work/gen_csv
	if ! "${CC:-cc}" -std=gnu11 -O2 -D_GNU_SOURCE -I"$root" -o "$gen" "$root"/tests/gen/{gen_csv,model}.c; then
		echo "not run: no gen_csv and no compiler for it"
		exit 77
	fi
fi
TMPDIR=$work python3 -B "$here/laws.py" "$gen"
