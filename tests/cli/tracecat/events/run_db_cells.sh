# Cells of a run.db that fit their type and mean nothing: an agent of no known numbering, a value that is no
# number.  Such a database is damaged; what stands before them is read.
tracemerge -q -o run.db "$TESTDATA/rocpd/3.0.5/processes/merged.db"
cp run.db numbering.db
sqlite3 numbering.db "UPDATE kernel SET agent=-1 WHERE id=(SELECT max(id) FROM kernel)"
tracecat -q --columns kind,name,start_ns numbering.db
echo $?
cp run.db source.db
sqlite3 source.db "UPDATE kernel SET agent=12884901888"
tracecat -q source.db
echo $?
sqlite3 run.db "UPDATE counter SET value=9e999"
tracecat -q --kind counter run.db
