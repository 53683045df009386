# "kstats FILE..." is the first screen: what was read, how the GPU was used, why it was idle, what could be better,
# the kernels.  80 columns and 120; as a comment of a merge request; for machines the rows of the findings, and
# -s or --columns the rows as a table.  Of a window of 210 us vecAdd and gemm_tile cover 120 (57.14 %); the five gaps
# of 90 us pass in hipStreamSynchronize, 45 of them (21.43 %) waiting.
cd "$TESTDATA/rocprofv3/7.0" || exit
COLUMNS=80 kstats sync_each || exit
kstats -f text sync_each/*.csv -n 1 || exit
kstats -q -f md sync_each || exit
kstats -q -f csv sync_each | grep -e ^gaps.call -e ^gaps.long -e ^producer -e ^finding.1 || exit
kstats summary -q -s value --columns metric,value sync_each | head -n 4
# What can be read only once is: without the replay, whose clock is another, savings of scenarios are not known.
kstats -q -f csv - <sync_each/app_kernel_trace.csv | grep -e '^finding.*id' -e ^inputs || exit
# A workload has targets of its own: much GEMM is what a prefill wants.
kstats -q -f csv --preset prefill sync_each | grep -e ' %,' || exit
kstats --preset games sync_each
kstats -k vec sync_each
kstats nothing/here.csv
