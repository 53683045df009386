# Kernels: agent 4 100..200 and, communicating, 200..250; agent 5 300..400.  A blit on agent 4, 500..510, is
# a kernel that is no copy of this table.
#   0 to 4: 150..260 and 255..300, 155 in all, a union of 150; nothing hides 250..300
#   5 to 0: 350..450; 400..450 is exposed
#   4 to 5: 180..320; agent 4 hides up to 250, agent 5 from 300
#   0 to 0: a copy within the host, hidden by nothing
# The last question ends at 420: of 5 to 0 there remain 70, exposed 20.
cat >p_kernel_trace.csv <<'END'
"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4","k",1,100,200
"KERNEL_DISPATCH","Agent 4","ncclDevKernel_Generic_4",2,200,250
"KERNEL_DISPATCH","Agent 5","k",3,300,400
"KERNEL_DISPATCH","Agent 4","__amd_rocclr_copyBuffer.kd",4,500,510
END
cat >p_memory_copy_trace.csv <<'END'
"Kind","Direction","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_COPY","MEMORY_COPY_HOST_TO_DEVICE","Agent 0","Agent 4",5,150,260
"MEMORY_COPY","MEMORY_COPY_HOST_TO_DEVICE","Agent 0","Agent 4",6,255,300
"MEMORY_COPY","MEMORY_COPY_DEVICE_TO_HOST","Agent 5","Agent 0",7,350,450
"MEMORY_COPY","MEMORY_COPY_DEVICE_TO_DEVICE","Agent 4","Agent 5",8,180,320
"MEMORY_COPY","MEMORY_COPY_HOST_TO_HOST","Agent 0","Agent 0",9,100,110
END
kstats copies -f csv .
kstats copies -q -f csv -w 160..420 .
