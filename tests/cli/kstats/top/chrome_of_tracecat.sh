# What "tracecat --to chrome" writes is kept next to its trace: the same run, though its times count from zero.
sh "$ROOT/tests/cli/two_ranks"
rm -r rank1 && sed 's/,\(1[0-9]*\),\([12][0-9]*\)$/,1000000\1,1000000\2/' rank0/m_kernel_trace.csv >1_kernel_trace.csv && rm -r rank0
tracecat -q --to chrome 1_kernel_trace.csv >timeline.json
kstats top -f csv --name base --columns name,calls,total_ns .
