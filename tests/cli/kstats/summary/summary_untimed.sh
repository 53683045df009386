# The line of a log of RCCL has no times: the page counts it as left out, as the note does.
cat >k_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,"gemm_kernel",1,1000,1100
"KERNEL_DISPATCH",4,1,"gemm_kernel",2,1100,1200
END
cat >k.log <<'END'
h:40:40 [0] NCCL INFO AllReduce: opCount 0 sendbuff (nil) recvbuff 0x7 count 10 datatype 7 op 0 root 0 comm 0x1 [nranks=2] stream (nil) task 0 globalrank 0
END
kstats summary -f csv --columns metric,value 0=k_kernel_trace.csv 0=k.log >out && head -n 11 out
