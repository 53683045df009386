#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Random folders: one run, or several, in several formats, sub-directories and archives.  Each event counts once, in kstats
# and in the run.db of tracemerge; formats of one run that do not agree are refused.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
make_work
cd "$work" || exit 2
PYTHONPATH=$root/tests/gen python3 -B "$here/folders.py" "$@"
