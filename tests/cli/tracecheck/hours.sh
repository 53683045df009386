# Two kernels of 1 us with two hours between them, 7200 s: less than 2.5 h, not less than 1.5 h, and 120 min are 2 h.
printf '%s\n' Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp KERNEL_DISPATCH,1,a,1,1000,2000 \
	KERNEL_DISPATCH,1,a,2,7200000002000,7200000003000 >app_kernel_trace.csv
for bound in '< 2.5h' '< 1.5 h' '== 2 h' '== 120 min'; do
	tracecheck -q --rule "gaps.max_ns $bound" app_kernel_trace.csv | grep -E '^(pass|fail) '
done
