# By class, API call, copy and region; the verdict stays that of the kernels' run.  Kernels are those of one run, later: calls differ.
sed 's/7000000/8000000/g' "$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv" >k
sed 's/7000000/8000000/g' "$TESTDATA/rocprofv3/7.0/run/app_hip_api_trace.csv" >h
sed 's/7000000/8000000/g' "$TESTDATA/rocprofv3/7.0/run/app_marker_api_trace.csv" >m
sed 's/7000000/8000000/g' "$TESTDATA/rocprofv3/7.0/run/app_memory_copy_trace.csv" | head -n 3 >c
mkdir later
mv k later/app_kernel_trace.csv
mv h later/app_hip_api_trace.csv
mv m later/app_marker_api_trace.csv
mv c later/app_memory_copy_trace.csv
for per in class api copy region; do
	tracediff -q -f csv --allow self --per $per --columns name,class,status,calls_a,calls_b,delta_ns "$TESTDATA/rocprofv3/7.0/run" later
done
