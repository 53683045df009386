# Waiting by what the calls are there for.  20 kernels of 20 us, 100 us apart: a window of 1920 us.  Each but the last is followed by
# 70 us in the call, while the GPU is idle: 19 x 70 us = 1330 us, 69.27 % of the window, whether one thread is in all of them or
# four take turns, in which case each thread alone is in a quarter.  The 20th call begins at the end of the window.
for what in "hipMemcpyDtoH 1" "hipFree 1" "hipFree 4" "hipHostFree 4" "hipMemset 4"; do
	sh "$ROOT/tests/cli/waits" "${what% *}" "${what#* }"
	kstats sync -q --kinds -f csv .
done
kstats sync -q --kinds --during busy .
# From statistics there is the sum; and files of totals have the same rows as the trace.
kstats sync -q --kinds "$TESTDATA/rocprofv3/7.0/stats"
tracemerge -q --stats-only -o totals.db app_kernel_trace.csv app_hip_api_trace.csv
kstats sync -q --kinds -f csv . >trace
kstats sync -q --kinds -f csv totals.db >totals
diff trace totals
