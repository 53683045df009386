# --drift compares kernels of one full name, so that another --name is refused, in a rule too; full is what it uses anyway.
kstats clock --drift --name full -q -n 1 -f csv --columns name "$TESTDATA/rocprofv3/7.0/demo/1234_kernel_trace.csv" || exit
tracecheck -q --rule 'clock(--drift --name base).gpus > 0' "$TESTDATA/rocprofv3/7.0/demo/1234_kernel_trace.csv"; echo $?
kstats clock --name base --drift "$TESTDATA/rocprofv3/7.0/demo/1234_kernel_trace.csv"
