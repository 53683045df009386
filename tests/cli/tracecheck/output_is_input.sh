# --report, and -o with the name of what is compared with or of another trace, would leave a result where the trace was:
# both are refused, as -o with the name of an operand is.
cp "$TESTDATA/rocprofv3/7.0/sync_each/"*_kernel_trace.csv k.csv && cp "$TESTDATA/rocprofv3/7.0/sync_once/"*_kernel_trace.csv b.csv
cat k.csv b.csv >same
cp "$TESTDATA/madengine/2.0/energy/"*.csv .
tracecheck --rule 'kernels.calls > 0' --report text=k.csv k.csv; echo $?
tracecheck --rule 'kernels.calls > 0' --report text=./k.csv 3=k.csv; echo $?
tracecheck --rule 'kernels.calls <= baseline' --baseline b.csv --report text=b.csv k.csv; echo $?
tracecheck --rule 'kernels.calls <= baseline' --baseline b.csv -o b.csv k.csv; echo $?
tracereport --baseline b.csv -o b.csv k.csv; echo $?
powerstats --trace app_kernel_trace.csv --offset 1000000000 -o app_kernel_trace.csv gpu_info_power_profiler_output.csv; echo $?
kstats efficiency --runs -o b.csv '[bk].csv'; echo $?
cat k.csv b.csv | cmp - same && cmp app_kernel_trace.csv "$TESTDATA/madengine/2.0/energy/app_kernel_trace.csv"
