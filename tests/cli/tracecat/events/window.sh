# Half-open, by start: 7000000200000 belongs to the first window, 7000000400000 to the second.
f=$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv
tracecat -w 7000000200000..7000000400000 --columns start_ns "$f"
tracecat -w 7000000400000.. --columns start_ns "$f"
# +100us is 100 us after the first start, which is 7000000100000.
tracecat -w ..+100us --columns start_ns "$f"
tracecat -w 50%.. --columns start_ns "$f"
# Nothing starts there.
tracecat -w 1..2 --columns start_ns "$f"
