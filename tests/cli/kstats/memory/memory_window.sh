# 100 bytes at 10, freed at 200; 7 bytes at 90.  In [50,60) nothing happens: agent 4 holds its 100 all the
# time, and what it allocates at 90 was never there.  In [50,150) the peak is 107, at 90.
# Behind all of it, in [300,400), the 7 are left.
cat >p_memory_allocation_trace.csv <<'END'
"Kind","Operation","Agent_Id","Allocation_Size","Address","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_ALLOCATE","Agent 4",100,"0x1000",1,10,11
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_ALLOCATE","Agent 4",7,"0x2000",2,90,91
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_FREE","",0,"0x1000",3,200,201
END
for w in 50..60 50..150 300..400; do
	kstats memory -q -f csv -w $w p_memory_allocation_trace.csv
	kstats memory -q -f csv --list -w $w p_memory_allocation_trace.csv || exit
done
