# Beyond ulimit -f a write fails with a message and leaves no file; the signal for it ended the process before.
for tool in 'tracemerge -o run.db' 'tracecat -o run.csv'; do
	{
		(ulimit -f 100 && exec $tool "$TESTDATA/rocprofv3/7.0/demo") 2>&1
		echo "status $?"
	} | cat
done
ls
