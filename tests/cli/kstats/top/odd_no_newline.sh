# A last row without a newline may have lost the last digits of its last number: it is not counted, and that is
# said. Three of the four calls of vecAdd are left (1000 + 2000 + 3000 ns of 96000). A number in quotes is whole
# with the second quote, and so is one with the carriage return behind it: these rows count.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/hostile/no_newline_kernel_trace.csv
printf '"Name","Calls","TotalDurationNs"\n"a",1,100\n"b",2,20' >bare_kernel_stats.csv
printf '"Name","Calls","TotalDurationNs"\n"a","1","100"\n"b","2","20"' >quoted_kernel_stats.csv
printf '"Name","Calls","TotalDurationNs"\r\n"a",1,100\r\n"b",2,20\r' >return_kernel_stats.csv
for f in bare quoted return; do
	kstats top -f csv --columns name,calls,total_ns ${f}_kernel_stats.csv
done
# Left out is left out: with --strict that is an error.
kstats top --strict -f csv --columns name,calls,total_ns bare_kernel_stats.csv
