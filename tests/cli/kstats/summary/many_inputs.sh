# What to type next names one input, or few short ones; of others the reader knows which.
cd "$TESTDATA/rocprofv3/7.0" || exit
next() {
	kstats -q "$@" | grep -o 'kstats sync .*'
	kstats -q -f md "$@" | grep -o 'kstats sync [^)]*'
	kstats findings -q -f csv --columns command "$@" | grep sync
}
next sync_each
next sync_each/app_kernel_trace.csv sync_each/app_hip_api_trace.csv
next 0=sync_each/app_kernel_trace.csv 0=sync_each/app_hip_api_trace.csv 1=sync_each/app_kernel_trace.csv 1=sync_each/app_hip_api_trace.csv
