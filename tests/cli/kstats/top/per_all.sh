# All five at once: every kernel but two pairs (fills 1 and 4, vecAdd 3 and 5) stands alone.
ln -s "$TESTDATA" data
kstats top -f csv --name base --per rank,agent,queue,stream,shape data/rocprofv3/7.0/run/app_kernel_trace.csv
