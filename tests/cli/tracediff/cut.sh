# A trace that ends inside a row is not the run.
cp "$TESTDATA/rocprofv3/7.0/sync_each/app_kernel_trace.csv" whole.csv
sed 's/7000000/9000000/g' whole.csv | head -c -30 >cut.csv
tracediff -f csv --columns name,status,calls_a,calls_b,note whole.csv cut.csv
