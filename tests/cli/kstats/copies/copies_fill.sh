# Fills are a row of their own.  These rows name no agent, so the kernel of the rank, 100..200, hides them:
# the fill, 150..250, to 200.  The row of 300..310 does not say which way it copies.
cat >hcc_ops_trace_1.csv <<'END'
Domain,Operation,Kernel_Name,Start_Timestamp,Stop_Timestamp,Correlation_ID
HIP_OPS_DOMAIN,"KernelExecution","k",100,200,1
HIP_OPS_DOMAIN,"FillBuffer",,150,250,2
HIP_OPS_DOMAIN,"CopyHostToDevice",,190,200,3
END
cat >async_copy_trace_1.csv <<'END'
Domain,Operation,Start_Timestamp,Stop_Timestamp,Correlation_ID
HSA_OPS_DOMAIN,"COPY",300,310,1
END
kstats copies -f csv 0=hcc_ops_trace_1.csv 0=async_copy_trace_1.csv
