# A run against itself, under another name, in another order of its rows, and as a database: refused.
sed -n '1p; 4,$p; 2,3p' "$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv" >again.csv
tracemerge -q -o run.db "$TESTDATA/rocprofv3/7.0/run"
ln -s "$TESTDATA/rocprofv3/7.0/run" run
tracediff run run; echo $?
tracediff run/app_kernel_trace.csv again.csv; echo $?
tracediff -q run run.db; echo $?
# Once more on one side makes no second run of it.
ln -s "$TESTDATA/rocprofv3/7.0/sync_each" other
tracediff -q run run.db -- other
