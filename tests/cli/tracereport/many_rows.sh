# Of 300 kernels 200 are on the page, and the command prints all of them.
mkdir run
awk 'BEGIN {
	print "Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp"
	for (i = 0; i < 300; i++)
		printf "KERNEL_DISPATCH,Agent 1,k%d,%d,%d,%d\n", i, i, 2000 * i, 2000 * i + 1000 + i
}' >run/app_kernel_trace.csv
tracereport -q -o page.html run || exit
grep -o '[0-9]* of [0-9]* rows; all of them: <code class="cmd">kstats top.*</code>' page.html
grep -c '<tr><td class="x">\(<details><summary>\)\{0,1\}k[0-9]*<' page.html
