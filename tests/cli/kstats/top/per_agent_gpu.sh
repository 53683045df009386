# rocprofv3 -A type-relative says "GPU 0": shown so.
ln -s "$TESTDATA" data
kstats top -f csv --name base --per agent --columns agent,name,calls data/rocprofv3/7.1/run/7171_kernel_trace.csv
