# Where kernels were launched from: operators and steps of torch.profiler, as kstats ops and kstats regions --kernels have them
# with -k.
f=$TESTDATA/kineto/2.9/train/worker_40.pt.trace.json
kstats kernel -q -f csv Cijk "$f" >page || exit
grep -E '^(op|region|missing),' page
kstats regions --kernels -q -f csv "$f" | grep Cijk
# Collectives wait for other ranks, whatever their occupancy.
printf '"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"\n"KERNEL_DISPATCH",2,1,"ncclDevKernel_Generic_1(x)",1,5,9\n' >a_kernel_trace.csv
kstats kernel -q -f csv nccl a_kernel_trace.csv >page || exit
grep answer page
