# Some builds of SQLite take names that begin with "file:" for URIs: the database is in the file of that name all the same, and
# nothing else is left.  k takes 100 ns.
printf 'Kernel_Name,Start_Timestamp,End_Timestamp\nk,1000,1100\n' >t.csv
for name in file:x.db 'file:y.db?mode=memory' 'z?mode=memory' 'a%41.db' ':memory:'; do
	tracemerge -q -o "$name" t.csv; echo "status $?"
	kstats top -f csv --columns calls,total_ns "$name"
done
ls
