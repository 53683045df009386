# Rows of statistics are not events: a timeline says so, as the list of events does.  18 rows of two files.
for to in csv pftrace chrome; do
	tracecat --to $to -o out "$TESTDATA/rocprofv3/resnet" 2>&1
	echo "status $?"
done
