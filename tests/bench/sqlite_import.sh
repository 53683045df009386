#!/bin/sh
# SPDX-License-Identifier: MIT
# Events into SQLite by its shell: sqlite_import.sh EVENTS.csv NEW.db, a table as tracecat prints it.
set -eu

rm -f "$2"
# Numbers as numbers: what tracecat prints of names and words is text.
columns=$(head -n 1 "$1" | sed -E 's/,/ INTEGER,/g; s/$/ INTEGER/
	s/\b(kind|name|direction|class|domain|counter|comm|agent|src|dst) INTEGER/\1 TEXT/g')
exec sqlite3 -batch "$2" <<EOF_SQL
PRAGMA journal_mode=OFF;
PRAGMA synchronous=OFF;
CREATE TABLE event($columns);
.import --csv --skip 1 "$1" event
EOF_SQL
