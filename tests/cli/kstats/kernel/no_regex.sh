# An input in the place of the expression is not one: without other inputs, standard input would be read in its place.
cp "$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv" gemm
kstats kernel gemm; echo $?
kstats kernel; echo $?
kstats kernel gemm -q --columns calls,metric gemm >page; echo $?
kstats kernel -q --columns calls,metric gemm_tile - <gemm | cmp - page
