# library_trace.csv next to the logs that it was made of counts each call twice: that is said.  Not if the table has a
# call of its own, nor of logs or tables alone.  -o with the name of what is read in a directory is refused.
mkdir logs out
cp "$TESTDATA/madengine/2.0/logs/node1.log" logs
libperf trace -q -o logs/library_trace.csv logs; echo $?
cp logs/library_trace.csv out
libperf top -f csv --columns library,calls logs
libperf top -q -f csv --columns library,calls logs/node1.log
libperf top -q -f csv --columns library,calls out
libperf trace -o logs/library_trace.csv logs; echo $?
libperf top -o logs/node1.log logs; echo $?
cmp logs/node1.log "$TESTDATA/madengine/2.0/logs/node1.log" && cmp logs/library_trace.csv out/library_trace.csv
echo '0,,,rocblas,./rocblas-bench -f gemm_ex -m 1 -n 2 -k 3,9' >>logs/library_trace.csv
libperf top -f csv --columns library,calls logs
for again in first second; do
	libperf top -q -f csv --columns library,calls -o out/top.csv out; echo "$again $?"
done
