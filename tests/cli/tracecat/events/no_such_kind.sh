# Kinds that are not there.
tracecat --kind copy,alloc "$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv"
