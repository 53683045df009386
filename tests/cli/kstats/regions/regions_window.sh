# -w: a region counts if it begins inside, a sum has what starts inside with its full duration, a union
# what lies inside.  Kernel 1 [160,200) is launched in beta [150,170).
#   [175,195): beta began before, the kernel too, and 20 ns of it are inside: no count, no sum, 20 busy.
#   [145,155): beta begins inside, the kernel behind it: sums of 0, since the rank has kernels.
#   [150,180): all of it begins inside: 40 in all, 20 busy.
cat >k_kernel_trace.csv <<'EOF'
"Kind","Agent_Id","Queue_Id","Thread_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,7,"k",1,160,200
EOF
cat >k_hip_api_trace.csv <<'EOF'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",77,7,1,155,158
EOF
cat >k_marker_api_trace.csv <<'EOF'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MARKER_CORE_RANGE_API","beta",77,7,10,150,170
EOF
for w in 175..195 145..155 150..180; do
	kstats regions -f csv --columns region,count,gpu_total_ns,gpu_busy_ns,self_gpu_ns,kernels,gpu_p50_ns -w $w .
done
