# A bad input is reported, the others are written; the worst status counts.
: >empty.csv
head -n 1 "$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv" >header.csv
echo nonsense >text.csv
cp "$TESTDATA/rocprofv3/7.0/hostile/one_kernel_trace.csv" .
tracecat --columns kind,start_ns empty.csv header.csv text.csv missing.csv one_kernel_trace.csv
