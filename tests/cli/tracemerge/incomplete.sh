# A run.db that is not whole says so: of a tracemerge that was killed while it wrote, and of a copy that was
# cut. Neither is "binary data", and no row of it counts.
mkfifo trace.csv
tracemerge -q --no-progress trace.csv >killed.db &
pid=$!
exec 3>trace.csv
head -n 3 "$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv" >&3
n=0
while [ ! -s killed.db ] && [ $n -lt 500 ]; do
	sleep 0.02
	n=$((n + 1))
done
kill -9 $pid
{ wait $pid; } 2>/dev/null
exec 3>&-
kstats top killed.db; echo $?
tracemerge -q -o run.db "$TESTDATA/rocprofv3/7.0/run"
head -c 100000 run.db >cut.db
kstats top cut.db 2>err; echo $?
kstats top - <cut.db 2>>err; echo $?
sed 's/[0-9]* bytes present/N bytes present/' err
# One that was copied by .dump has lost its header, and in UTF-16 all texts look otherwise: the same events.
tracecat -q run.db >want
for encoding in UTF-8 UTF-16le UTF-16be; do
	rm -f copy.db
	{ echo "PRAGMA encoding='$encoding';"; sqlite3 run.db .dump; } | sqlite3 copy.db
	tracecat -q copy.db | cmp - want
done
# Another program's database with no header of its own stays one.
sqlite3 other.db 'CREATE TABLE rollup(a)'
tracecat other.db
