# No copies: an error that says what to trace, and how many blits there are among the kernels.
cat >p_kernel_trace.csv <<'END'
"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4","__amd_rocclr_fillBufferAligned.kd",1,100,1200100
END
kstats copies -f csv p_kernel_trace.csv
