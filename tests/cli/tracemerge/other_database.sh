# A database of another program is named as one.
sqlite3 other.db 'CREATE TABLE t(a); INSERT INTO t VALUES(1)'
kstats top other.db
