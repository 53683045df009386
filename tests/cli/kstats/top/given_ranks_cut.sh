# RANK=FILE keeps ranks apart, whatever is in them: the same two passes over k (SQ_WAVES, 100 ns, and GRBM_COUNT, 110 ns) are
# of rank 0 and of rank 1, one call each.  Parts of one table that share a dispatch are still refused where no rank is given.
pass() { # FILE COUNTER END
	printf 'Correlation_Id,Dispatch_Id,Agent_Id,Queue_Id,Process_Id,Thread_Id,Grid_Size,Kernel_Id,Kernel_Name,Workgroup_Size,Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp\n1,1,4,1,77,77,64,1,k,64,%s,8,1000,%d\n' "$2" "$3" >"$1"
}
mkdir a b
for d in a b; do
	pass $d/77_counter_collection.csv SQ_WAVES 1100 && pass $d/78_counter_collection.csv GRBM_COUNT 1110
done
kstats top -q -f csv --per rank --columns rank,name,calls,total_ns 0=a 1=b
pass b/78_counter_collection.csv SQ_BUSY 1100
kstats top -q -f csv --per rank --columns rank,name,calls,total_ns 0=a 1=b
pass a/79_counter_collection.csv SQ_WAVES 1100 && sed -i '2s/SQ_WAVES,8/SQ_WAVES,9/' a/79_counter_collection.csv
kstats top -q -f csv --per rank --columns rank,name,calls,total_ns a
