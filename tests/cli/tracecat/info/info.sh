# What is in it: format, who wrote it, rank and the rule that gave it, agents, counts, losses.
# A rank in the path counts before the order.
cp -r "$TESTDATA/rocprofv3/7.0/ranks" .
cp "$TESTDATA/rocprofv3/7.0/hostile/cut_kernel_trace.csv" "$TESTDATA/rocprofv3/7.0/hostile/reversed_kernel_trace.csv" .
tracecat info -f csv ranks/rank1 7=reversed_kernel_trace.csv cut_kernel_trace.csv
