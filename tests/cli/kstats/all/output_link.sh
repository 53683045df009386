# -o follows a link and leaves it: what it leads to is what is written, also by a database; one that leads nowhere is an
# error.  /dev/stdout is standard output, whatever that goes to.
trace=$TESTDATA/rocprofv3/7.0/sync_each
echo before > real
ln -s real link
ln -s nothing lost
kstats top -q -f csv --columns name,calls -o link "$trace"
cat real
readlink link
kstats top -q -f csv -o lost "$trace"
echo $?
tracemerge -q -o lost "$trace"
echo $?
touch real.db
ln -s real.db link.db
tracemerge -q -o link.db "$trace"
readlink link.db
kstats top -q -f csv --columns calls real.db
(
	echo first
	kstats top -q -f csv --columns calls -o /dev/stdout "$trace"
) > out
cat out
tracemerge -q -o /dev/stdout "$trace" > out.db
kstats top -q -f csv --columns calls out.db
ls
