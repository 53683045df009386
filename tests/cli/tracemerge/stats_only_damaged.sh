# SPDX-License-Identifier: MIT
# Six ranks whose states are cut: four lines and how many more there are, not one for each of a thousand.
for rank in 0 1 2 3 4 5; do echo "$rank=$TESTDATA/rocprofv3/7.0/run"; done | xargs tracemerge -q --stats-only -o six.db
sqlite3 six.db "UPDATE state SET bytes = substr(bytes, 1, 20)"
kstats timeline six.db
