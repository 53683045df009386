# 10000 times the same 1 ms: the profiler squares a total of 10 s in 64 bits, which runs over, and
# prints 960431.906295. The true deviation is 0.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/stddev
