# Four copies of a run: three are the same as the first, which is said once of each.
for copy in 1 2 3 4; do
	{
		echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
		echo '"k",10,10000,1000,100,1000,1000,0'
	} >${copy}_kernel_stats.csv
done
tracediff --history ./*_kernel_stats.csv
