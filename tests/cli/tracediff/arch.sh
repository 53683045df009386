# Other GPUs, by the agents, or by the names of kernels where these are not known.
# trace FILE < "name start length" lines: a kernel trace of one agent
trace() {
	mkdir -p "$1"
	{
		echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		awk -v OFS=, "{ print \"KERNEL_DISPATCH\", \"Agent ${2:-1}\", \$1, NR, \$2, \$2 + \$3 }"
	} >"$1/app_kernel_trace.csv"
}
printf '%s\n' 'k 0 40' 'k 60 40' | trace a
printf '%s\n' 'k 0 40' 'k 61 40' | trace b
for run in a b; do
	gfx=90402
	[ $run = a ] || gfx=90010
	printf '%s\n' '"Node_Id","Logical_Node_Id","Agent_Type","Name","Gfx_Target_Version"' \
		'0,0,"CPU","EPYC",0' "1,1,\"GPU\",\"gpu\",$gfx" >$run/app_agent_info.csv
done
tracediff -q a b; echo $?
printf '%s\n' 'Cijk_MT64x64x32_ISA942_SN 0 40' 'k 60 40' | trace c
printf '%s\n' 'Cijk_MT64x64x32_ISA90a_SN 0 40' 'k 61 40' | trace d
tracediff -q c d; echo $?
tracediff -q --allow arch -f csv --columns name,status c d
