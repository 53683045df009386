# A kernel on agent 4 and a copy from host to host, which is of no agent: one agent, no note of several, and no time of
# the GPU.
cat >r_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,"k",1,1000,1100
END
cat >r_memory_copy_trace.csv <<'END'
"Kind","Direction","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_COPY","MEMORY_COPY_HOST_TO_HOST","Agent 0","Agent 0",2,1100,1200
END
kstats ranks -f csv .
