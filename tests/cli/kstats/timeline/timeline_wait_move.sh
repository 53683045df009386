# Kernels that only wait and kernels that only move data are no compute.  On agent 4, 0..1000:
#     streamOpsWait    0..600              my_kernel 100..200            ncclDevKernel 150..250
#     fillBuffer     220..320              copy      300..400            copyBuffer    700..750
#     my_kernel      900..1000
# An instant belongs to the first of compute, communication, move, copy, wait that holds it:
#     compute 100..200, 900..1000 = 200    exposed_comm 200..250 = 50    move 250..320, 700..750 = 120
#     exposed_copy 320..400 = 80           wait 0..100, 400..600 = 300   idle 600..700, 750..900 = 250
# The copy is exposed beside waiting kernels, 300..320 under the fill is not.  On agent 5 nothing but waiting: once
# 100 % compute.
cat >p_kernel_trace.csv <<'END'
"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4","__amd_rocclr_streamOpsWait.kd",1,10000,10600
"KERNEL_DISPATCH","Agent 4","my_kernel",2,10100,10200
"KERNEL_DISPATCH","Agent 4","ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)",3,10150,10250
"KERNEL_DISPATCH","Agent 4","__amd_rocclr_fillBufferAligned",4,10220,10320
"KERNEL_DISPATCH","Agent 4","__amd_rocclr_copyBuffer",6,10700,10750
"KERNEL_DISPATCH","Agent 4","my_kernel",7,10900,11000
"KERNEL_DISPATCH","Agent 5","__amd_rocclr_streamOpsWait.kd",8,10000,10900
"KERNEL_DISPATCH","Agent 5","__amd_rocclr_streamOpsWait.kd",9,10900,11000
END
cat >p_memory_copy_trace.csv <<'END'
"Kind","Direction","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_COPY","MEMORY_COPY_HOST_TO_DEVICE","Agent 0","Agent 4",5,10300,10400
END
parts=compute_ns,wait_ns,move_ns,exposed_comm_ns,exposed_copy_ns,idle_ns
kstats timeline -f csv --columns agent,window_ns,busy_ns,$parts,kernels .
kstats copies -f csv -q --columns direction,union_ns,exposed_ns .
# Both agents in one: the waiting of agent 5 fills what is idle on agent 4.
kstats ranks -f csv --columns window_ns,busy_ns,compute_ns,wait_ns,move_ns,exposed_comm_ns,idle_ns .
kstats summary -q -f csv . | grep ^timeline
