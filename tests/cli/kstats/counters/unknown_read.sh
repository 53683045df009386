# On gfx906 nobody knows how many bytes TCC_EA_RDREQ is, but what the profiler computes is used where it is there: 6.25 KiB.
head='"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"'
row='1,1,2,1,7,7,256,1,"k",64,0,0,8,0,16,'
printf '%s\n' "$head" "$row\"TCC_EA_RDREQ_sum\",100,1000,201000" >a_counter_collection.csv
kstats counters --arch gfx906 -q -f csv --columns counter,mean,note a_counter_collection.csv || exit
echo "$row\"FETCH_SIZE\",6.25,1000,201000" >>a_counter_collection.csv
kstats counters --arch gfx906 -q -f csv --columns counter,mean,note a_counter_collection.csv
