# A database that is still being written: what is there is read, nothing is written beside it, and what the
# journal may hold is said to be missing.
cp "$TESTDATA/rpd/lite/trace_4321.db" t.db
echo journal >t.db-wal
kstats top -f csv --columns name,calls t.db; echo $?
kstats top -q --strict -f csv --columns name,calls t.db; echo $?
ls
