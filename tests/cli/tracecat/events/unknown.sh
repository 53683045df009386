# A kernel no rule knows: with --strict an error, counted in rows; without the tool says nothing.
printf 'mine\tvecAdd\n' >rules
f=$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv
tracecat --classes rules --columns class "$f" >/dev/null; echo $?
tracecat --strict --classes rules --columns class "$f"
