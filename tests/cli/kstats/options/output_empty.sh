# -o "$UNSET": no file is written, and none of a name made up is named.
for tool in 'kstats top' tracemerge tracereport tracecat; do
	$tool -q -o '' "$TESTDATA/rocprofv3/7.0/sync_each"; echo $?
done
# What is written to a device is copied there: it has a name in the message, too.
tracemerge -q "$TESTDATA/rocprofv3/7.0/sync_each" >/dev/full; echo $?
tracemerge -q -o /dev/full "$TESTDATA/rocprofv3/7.0/sync_each"; echo $?
ls
