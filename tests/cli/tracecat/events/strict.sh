# Rows left out make status 2; everything else is written all the same.
cp "$TESTDATA/rocprofv3/7.0/hostile/reversed_kernel_trace.csv" .
tracecat --columns kind reversed_kernel_trace.csv >/dev/null; echo $?
tracecat --strict --columns kind,name,class reversed_kernel_trace.csv
