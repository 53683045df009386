# Why the first screen is empty: the file has no rows.  Other tables of kstats say so, too.
cp "$TESTDATA/rocprofv3/7.0/hostile/header_only_kernel_trace.csv" . || exit 1
kstats header_only_kernel_trace.csv; echo $?
kstats top header_only_kernel_trace.csv; echo $?
