# The energy of the case `energy` by step and by region.  Step 1 is [0, .5) of the readings' clock, step 2 [.5, 1), on both devices
# of the rank: E(.5) = 62.5 on GPU0 and 25 on GPU1, 87.5 J; then 150 - 62.5 + 25 = 112.5 J; 200 + 50 outside.
m=$TESTDATA/madengine/2.0/energy
cp "$m"/app_kernel_trace.csv "$m"/gpu_info_power_profiler_output.csv .
{
	echo '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
	echo '"MARKER_CORE_RANGE_API","step 1",7,77,101,1000000000,1500000000'
	echo '"MARKER_CORE_RANGE_API","step 2",7,77,102,1500000000,2000000000'
} >app_marker_api_trace.csv
by() { powerstats -q -f csv --offset 1000000000 --trace app_kernel_trace.csv --trace app_marker_api_trace.csv "$@" gpu_info_power_profiler_output.csv; }
by --by step || exit
COLUMNS=80 powerstats --offset 1000000000 --trace app_kernel_trace.csv --trace app_marker_api_trace.csv --by step gpu_info_power_profiler_output.csv || exit
# alpha holds the launches of the first two kernels, which run in [0, .75): E(.75) = 103.125 J; beta that of the third: 19.5 J; nobody
# knows who launched the kernel on GPU1: 25 J; idle [.75, .9): 27.375 J, untraced 275 J.  All of it is 450 J each time.
{
	echo '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
	echo '"MARKER_CORE_RANGE_API","alpha",7,77,101,900000000,1200000000'
	echo '"MARKER_CORE_RANGE_API","beta",7,77,102,1200000000,2000000000'
} >app_marker_api_trace.csv
{
	echo '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
	echo '"HIP_RUNTIME_API","hipLaunchKernel",7,77,1,950000000,950001000'
	echo '"HIP_RUNTIME_API","hipLaunchKernel",7,77,2,1000000000,1000001000'
	echo '"HIP_RUNTIME_API","hipLaunchKernel",7,77,3,1300000000,1300001000'
} >app_hip_api_trace.csv
by --trace app_hip_api_trace.csv --by region || exit
by --trace app_hip_api_trace.csv --by op || exit
tracemerge -q -o run.db app_*.csv || exit
powerstats -q -f csv --offset 1000000000 --trace run.db --by region gpu_info_power_profiler_output.csv || exit
by --by class -n 2 || exit
# Without a trace there is nothing to share out to; without a host nobody launched; without repeats there are no steps.
powerstats --by step gpu_info_power_profiler_output.csv; echo $?
powerstats -q -f csv --offset 1000000000 --trace app_kernel_trace.csv --by region gpu_info_power_profiler_output.csv; echo $?
powerstats -q -f csv --offset 1000000000 --trace app_kernel_trace.csv --by step gpu_info_power_profiler_output.csv
echo $?
powerstats -q -f csv --offset 990000000000 --trace app_kernel_trace.csv --by op gpu_info_power_profiler_output.csv
