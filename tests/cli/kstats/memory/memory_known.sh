# Agent 4: 100 at 10, 50 at 20: 150 held; the first goes at 30, 70 comes at 40: 120; 70 goes at 50: 50
# never does.  Agent 5: 200 at 25, freed at 60.  A block at the same address as the first of agent 4 comes
# at 45, so the free at 55 is its.  At 58 something is freed that was there before the trace.
# Frees carry neither agent nor size.  At the peak of agent 4, 20, there are 100 and 50; agent 5 has its
# 200, and at 45 also 8: 208.
# From 28 to 52 agent 4 has 150 first and 50 last; agent 5 200, then 208.
cat >p_memory_allocation_trace.csv <<'END'
"Kind","Operation","Agent_Id","Allocation_Size","Address","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_ALLOCATE","Agent 4",100,"0x1000",1,10,11
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_ALLOCATE","Agent 4",50,"0x2000",2,20,21
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_VMEM_ALLOCATE","Agent 5",200,"0x3000",3,25,26
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_FREE","",0,"0x1000",4,30,31
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_ALLOCATE","Agent 4",70,"0x4000",5,40,41
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_ALLOCATE","Agent 5",8,"0x1000",6,45,46
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_FREE","",0,"0x4000",7,50,51
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_FREE","",0,"0x1000",8,55,56
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_FREE","",0,"0x9000",9,58,59
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_VMEM_FREE","",0,"0x3000",10,60,61
END
kstats memory -f csv p_memory_allocation_trace.csv
kstats memory -f csv --list p_memory_allocation_trace.csv
kstats memory -q -f csv -w 28..52 p_memory_allocation_trace.csv
kstats memory -q -f csv -w 28..52 --list p_memory_allocation_trace.csv
