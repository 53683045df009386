# When the longest gap was is counted from the first operation of the GPU, here a copy at 100 us, as kstats gaps --list
# counts: kernels from 110 to 120 us and from 250 to 260 leave 130 us, from +20 us on, 81.25 % of the 160 us.
cat >run_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4",1,1,1,12,"a()",2,110000,120000
"KERNEL_DISPATCH","Agent 4",1,1,2,12,"a()",3,250000,260000
END
cat >run_memory_copy_trace.csv <<'END'
"Kind","Direction","Stream_Id","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_COPY","MEMORY_COPY_HOST_TO_DEVICE",1,"Agent 0","Agent 4",1,100000,105000
END
kstats -q . | grep longest || exit
kstats gaps -q --list -n 1 --columns start_ns,gap_ns .
