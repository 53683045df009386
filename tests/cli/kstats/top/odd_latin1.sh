# A name that is not UTF-8 keeps its bytes in csv, and is U+FFFD in json, which must be UTF-8.
# 5+1 and 3+0.5+0.5 us of 10.
ln -s "$TESTDATA" data
set -e
kstats top -f csv --columns name,total_ns data/rocprofv3/7.0/hostile/latin1_kernel_trace.csv
kstats top -f json --columns name,total_ns data/rocprofv3/7.0/hostile/latin1_kernel_trace.csv
