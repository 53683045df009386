# A pmc_perf.csv of 6,008 columns is read like one of 14.  Times are at the end, behind more bytes than a
# format is chosen by.  2 calls of 6 and 7 ns; counter TCC_WRITE[i] is i in the first and 2 i in the second,
# so all of them together are 3 * (0 + ... + 5999) = 53,991,000; 12,000 values.
awk 'BEGIN {
	n = 6000
	printf "Dispatch_ID,GPU_ID,Grid_Size,Kernel_Name,Kernel_ID"
	for (i = 0; i < n; i++)
		printf ",TCC_WRITE[%d]", i
	print ",Kernel_ID_1,Start_Timestamp,End_Timestamp"
	for (r = 1; r <= 2; r++) {
		printf "%d,0,64,\"k<%d, 0>\",9", r, r
		for (i = 0; i < n; i++)
			printf ",%d.0", r * i
		printf ",9,%d,%d\n", 100 * r, 101 * r + 5
	}
}' >pmc_perf.csv
wc -c <pmc_perf.csv
kstats top -f csv --columns calls,total_ns,name pmc_perf.csv
tracecat --kind counter --columns value pmc_perf.csv | awk 'NR > 1 { n++; s += $1 } END { print n, s }'
tracemerge -q -o run.db pmc_perf.csv
tracecat --kind counter --columns value run.db | awk 'NR > 1 { n++; s += $1 } END { print n, s }'
gzip -c pmc_perf.csv | kstats top -f csv --columns calls,total_ns,name -
