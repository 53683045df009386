# A counter collection alone, which runs kernels one at a time: the note says that, not that statistics files, of which
# there are none, lack times.  Statistics are told as before.
kstats summary -f csv "$TESTDATA/rocprofv3/7.0/pmc" 2>err >out; sed 's/.*pass_1.//' err
kstats gemm -f csv "$TESTDATA/rocprofv3/7.0/pmc" 2>err >out; sed 's/.*pass_1.//' err
printf '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"\n"k",1,5,5,100,5,5,0\n' >s_kernel_stats.csv
kstats summary -f csv s_kernel_stats.csv 2>err >out; cat err
