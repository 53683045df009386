# Stopped half-way: a word, and no file; 143 = by SIGTERM.
mkfifo pipe
tracemerge -o run.db - < pipe &
{ head -n 2 "$TESTDATA/rocprofv3/7.0/demo/1234_kernel_trace.csv"; sleep 1; kill -TERM $!; sleep 0.2; } > pipe
wait $!; echo $?
ls
