#!/bin/sh
# SPDX-License-Identifier: MIT
# The same question to the sqlite3 shell: sqlite_top.sh FILE.  Imports into memory, then groups.
set -eu

# Times as integers, all else as it comes: a declared type saves SQLite a conversion per query.
columns=$(head -n 1 "$1" | tr -d '\r' |
	sed -E 's/,/ TEXT,/g; s/$/ TEXT/; s/("[A-Za-z]+_Timestamp") TEXT/\1 INTEGER/g')
exec sqlite3 -batch :memory: <<EOF_SQL
CREATE TABLE t($columns);
.import --csv --skip 1 "$1" t
.headers on
.mode csv
SELECT Kernel_Name AS name, count(*) AS calls, sum(End_Timestamp - Start_Timestamp) AS total_ns,
       min(End_Timestamp - Start_Timestamp) AS min_ns, max(End_Timestamp - Start_Timestamp) AS max_ns
FROM t GROUP BY Kernel_Name ORDER BY total_ns DESC, name;
EOF_SQL
