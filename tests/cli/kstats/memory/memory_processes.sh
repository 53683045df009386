# Two processes of one rank that hold a block at the same address; memory tables name no process, the
# calls of the same run do.  77 holds 100 bytes at 0x10 in [10,50), 78 has 7 there in [20,40): 107 at
# 20, and no allocation takes the place of another.  If both were one, the block of 77 would end at 20.
mkdir rank0
for p in 77:100:10:50 78:7:20:40; do
	IFS=: read -r pid bytes from to <<END
$p
END
	printf '%s\n' '"Kind","Operation","Agent_Id","Allocation_Size","Address","Correlation_Id","Start_Timestamp","End_Timestamp"' \
		"\"MEMORY_ALLOCATION\",\"MEMORY_ALLOCATION_ALLOCATE\",\"Agent 4\",$bytes,\"0x10\",1,$from,$((from + 1))" \
		"\"MEMORY_ALLOCATION\",\"MEMORY_ALLOCATION_FREE\",,,\"0x10\",2,$to,$((to + 1))" >rank0/"$pid"_memory_allocation_trace.csv
	printf '%s\n' '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"' \
		"\"HIP_RUNTIME_API\",\"hipMalloc\",$pid,$pid,1,$from,$((from + 1))" >rank0/"$pid"_hip_api_trace.csv
done
kstats memory -f csv rank0
kstats memory --list -q -f csv rank0
