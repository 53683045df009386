# Names that builds change: Triton's number, rocPRIM's namespace.  Both sides have them under one stable name, and the
# two of one stable name on a side are one row.  A name that is the same stays a row of its own.
# trace FILE < "name start length" lines: a kernel trace of one agent
trace() {
	mkdir -p "$1"
	{
		echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		awk -v OFS=, "{ print \"KERNEL_DISPATCH\", \"Agent ${2:-1}\", \$1, NR, \$2, \$2 + \$3 }"
	} >"$1/app_kernel_trace.csv"
}
printf '%s\n' 'triton_poi_fused_add_3 0 40' 'triton_poi_fused_add_7 60 40' 'same_5 110 40' \
	'ROCPRIM_300100_NS::detail::scan_kernel 160 40' | trace a
printf '%s\n' 'triton_poi_fused_add_4 0 40' 'same_5 110 40' \
	'ROCPRIM_400000_NS::detail::scan_kernel 160 41' 'same_6 210 20' | trace b
tracediff -f csv --columns name,status,calls_a,calls_b,note a b
