# Copies from host to host belong to no agent: no row of an agent that does not exist, 49.9 % idle for the 0 of the GPU
# that worked all the time, no busy time, no part of any window.
cat >p_kernel_trace.csv <<'END'
"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4","k",1,1000,2000
END
cat >p_memory_copy_trace.csv <<'END'
"Kind","Direction","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_COPY","MEMORY_COPY_HOST_TO_HOST","Agent 0","Agent 0",2,500,501
"MEMORY_COPY","MEMORY_COPY_HOST_TO_HOST","Agent 0","Agent 0",3,2498,2500
END
kstats timeline -f csv .
kstats gaps -q -f csv .
kstats ranks -q -f csv --columns agents,window_ns,busy_ns,idle_ns .
kstats summary -q -f csv . | grep -e ^agents -e ^timeline
# Half of the GPU's window is half of the kernel.
kstats timeline -q -f csv -w 0%..50% --columns window_ns,idle_ns .
# They are copies all the same.
kstats copies -q -f csv .
tracemerge -q -o run.db .
kstats timeline -f csv run.db
rm p_kernel_trace.csv
kstats timeline -f csv p_memory_copy_trace.csv
