# An empty side is no win of 100 %.
{
	echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
} >empty_kernel_trace.csv
tracediff "$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv" empty_kernel_trace.csv
