# Allocations and frees at one address in one instant take turns, whatever order they stand in.  100 at 10.  At 20
# those go, 50 come to the same address and go.  At 30 8 come to another address and go, and 9 come there.  At 40
# two frees: the first is of the 9, the second of nothing.
cat >p_memory_allocation_trace.csv <<'END'
"Kind","Operation","Agent_Id","Allocation_Size","Address","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_ALLOCATE","Agent 4",100,"0x1000",1,10,11
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_FREE","",0,"0x1000",2,20,21
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_FREE","",0,"0x1000",4,20,21
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_ALLOCATE","Agent 4",50,"0x1000",3,20,21
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_ALLOCATE","Agent 4",9,"0x2000",7,30,31
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_ALLOCATE","Agent 4",8,"0x2000",5,30,31
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_FREE","",0,"0x2000",6,30,31
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_FREE","",0,"0x2000",8,40,41
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_FREE","",0,"0x2000",9,40,41
END
kstats memory -f csv p_memory_allocation_trace.csv
kstats memory -q -f csv -w ..35 p_memory_allocation_trace.csv
