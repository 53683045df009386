# The name of the first kernel is 93 bytes long: what is left of it after 80 is marked.
{
	printf 'Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp\n'
	for i in 1 2 3 4 5 6 7 8; do
		printf 'KERNEL_DISPATCH,Agent 1,"%s",%s,%s,%s\n' \
			'elementwise_kernel<4, 1234567890, 1234567890, 1234567890, 1234567890, 1234567890, 1234567890>' \
			$i $((i * 1000)) $((i * 1000 + 500)) last $i $((i * 1000 + 500)) $((i * 1000 + 700))
	done
} >a_kernel_trace.csv
kstats steps -f csv a_kernel_trace.csv 2>&1 >/dev/null | grep 'starting with'
