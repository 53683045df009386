# The last line counts; seconds and bytes are what they are.  Ranks 0 and 1 by their paths, so 2 is the first free.
tracemerge --align none -o run.db "$TESTDATA/rocprofv3/7.0/ranks" "$TESTDATA/rocprofv3/7.0/hostile/garbage_kernel_trace.csv" 2> err; echo $?
sed 's/[0-9]* bytes, [0-9.]* seconds/B bytes, S seconds/; s,[^ ]*/rocprofv3/,,' err
sqlite3 run.db 'SELECT rank, events, skipped, lost FROM input; SELECT reason, rows, line FROM loss'
