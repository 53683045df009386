# One instant: a block goes and another comes to the same address, so the free goes first; a block that
# comes and goes in one instant was there.  Two allocations of one address without a free between: the
# first is taken as freed.  An allocation of 0 bytes is one.
cat >p_memory_allocation_trace.csv <<'END'
"Kind","Operation","Agent_Id","Allocation_Size","Address","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_ALLOCATE","Agent 4",30,"0x1000",2,20,20
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_ALLOCATE","Agent 4",10,"0x1000",1,10,10
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_FREE","",0,"0x1000",3,20,20
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_FREE","",0,"0x2000",5,30,30
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_ALLOCATE","Agent 4",5,"0x2000",4,30,30
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_ALLOCATE","Agent 4",7,"0x1000",6,40,40
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_ALLOCATE","Agent 4",0,"0x3000",7,50,50
END
kstats memory -f csv p_memory_allocation_trace.csv
kstats memory -q -f csv --list p_memory_allocation_trace.csv
