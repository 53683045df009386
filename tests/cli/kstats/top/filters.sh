# Filters keep what a trace would hold that has nothing else.  By hand: gemm_a on agent 4, stream 1,
# thread 7: 10 and 20 ns; gemm_b on agent 4, stream 2, thread 7: 5 ns; copy_k on agent 5, stream 1,
# thread 8: 100 ns.
cat >k_kernel_trace.csv <<'E'
"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4",1,1,7,1,1,"gemm_a",1,1000,1010
"KERNEL_DISPATCH","Agent 4",1,1,7,2,1,"gemm_a",2,1020,1040
"KERNEL_DISPATCH","Agent 4",2,2,7,3,2,"gemm_b",3,1050,1055
"KERNEL_DISPATCH","Agent 5",3,1,8,4,3,"layernorm_k",4,1060,1160
E
t() { echo "$@"; kstats top -f csv --columns name,calls,total_ns,pct "$@" 3=k_kernel_trace.csv; }
t -k '^gemm'              # gemm_a 30, gemm_b 5
t -k '_b$' --agent 4      # gemm_b 5
t --agent 5               # layernorm_k 100
t --agent 0-4             # gemm_a 30, gemm_b 5
t --stream 1 --thread 7   # gemm_a 30
t --stream 0,2-9          # gemm_b 5
t --class gemm            # gemm_a 30, gemm_b 5
t --class norm,gemm -w +15..   # gemm_a 20, gemm_b 5, layernorm_k 100: the window is of the trace
t -k layer -w +15..       # layernorm_k 100
t --rank 0-2,3            # all
t --rank 0-2              # nothing: an error
t -k 'no such'            # nothing: an error
t --agent 'GPU 0'         # nothing: an error
