# -o appears whole or not at all; a device that is full is a failure and is said.
f=$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv
tracecat -o out.csv "$f" && tracecat "$f" | cmp - out.csv
tracecat -o no/such/place "$f"; echo $?
tracecat -o /dev/full "$f"; echo $?
tracecat -o /dev/stdout --columns kind "$f" | head -n 1
tracecat --sort start_ns "$f" >/dev/full; echo $?
TMPDIR=/nowhere tracecat --sort start_ns -o sorted.csv "$f"; echo $?
ls
tracecat info -o info.csv -f csv --columns rows "$f" && cat info.csv
