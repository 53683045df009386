# A copy of one pass of two: k ran once, 1000 ns in the first pass and 1100 ns in the second one, and counted 8 waves and 500
# cycles.  That each pass describes its GPUs in a file of the same name does not make the copy another run.
pass() { # DIR PID COUNTER VALUE END
	mkdir -p "$1"
	printf 'Correlation_Id,Dispatch_Id,Agent_Id,Queue_Id,Process_Id,Thread_Id,Grid_Size,Kernel_Id,Kernel_Name,Workgroup_Size,Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp\n1,1,4,1,%d,%d,64,1,k,64,%s,%d,1000,%d\n' \
		"$2" "$2" "$3" "$4" "$5" >"$1/$2_counter_collection.csv"
	printf '"Node_Id","Logical_Node_Id","Agent_Type","Cu_Count","Name"\n4,4,"GPU",104,"gfx90a"\n' >"$1/$2_agent_info.csv"
}
pass d/pmc_1 77 SQ_WAVES 8 2000 && pass d/pmc_2 78 GRBM_COUNT 500 2100
for copy in pmc_1.bak pmc_1_old saved/pmc_1; do
	mkdir -p d/saved && cp -r d/pmc_1 d/$copy
	kstats top -q -f csv --columns name,calls,total_ns d && kstats counters -q -f csv d
	rm -r d/$copy
done
