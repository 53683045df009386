# Where the database cannot be written, the message names the file that was asked for, in the words of the other tools.
mkdir dir
for to in missing/run.db dir; do
	tracemerge -q -o $to "$TESTDATA/rocprofv3/7.0/sync_each"; echo $?
	kstats top -q -o $to "$TESTDATA/rocprofv3/7.0/sync_each"; echo $?
done
ls -A dir
