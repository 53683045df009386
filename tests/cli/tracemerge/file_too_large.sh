# Beyond ulimit -f a write fails with a message and leaves no file; the signal for it ended the process before.
for tool in 'tracemerge -o run.db' 'tracecat -o run.csv'; do
	{
		(ulimit -f 100 && exec $tool "$TESTDATA/rocprofv3/7.0/demo") 2>&1
		echo "status $?"
	} | cat
done
ls
# To a pipe, it is the file in TMPDIR that is named.
(ulimit -f 100 && TMPDIR=. exec tracemerge -q "$TESTDATA/rocprofv3/7.0/demo" 2>&1 >/dev/null) | sed 's/tracemill-......:/tracemill-*:/'
ls
