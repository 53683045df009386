# Means over several passes: times with a fraction are rounded by their digits, halves to the even number,
# and said once.  300.5 -> 300, 401.5 -> 402 (102); 2^53 + 1.5 -> 2^53 + 2 = 9007199254740994 and 17e15 (as
# pandas writes it) -> 7992800745259006; the third is 100 exactly.  So do the sums of a statistics table.
cat >pmc_perf.csv <<'END'
Index,KernelName,gpu-id,SQ_WAVES,BeginNs,EndNs
0,a,0,64.5,300.5,401.5
1,b,0,64,9007199254740993.5,1.7e+16
2,c,0,64,500.0,6e2
END
kstats top -f csv --columns calls,total_ns,name pmc_perf.csv
cat >kernel_stats.csv <<'END'
"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"
"a",2,301.5,150.75,100.00,100.5,201,71.063352
END
kstats top -f csv --columns calls,total_ns,min_ns,max_ns,name kernel_stats.csv
tracemerge -q -o run.db pmc_perf.csv
kstats top -f csv --columns calls,total_ns,name run.db
