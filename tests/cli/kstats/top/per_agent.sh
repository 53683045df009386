# A row for each agent: agent 5 ran gemm 40 and vecAdd 3+4 us, agent 4 the rest.
ln -s "$TESTDATA" data
kstats top -f csv --name base --per agent data/rocprofv3/7.0/run/app_kernel_trace.csv
