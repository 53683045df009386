# A text whose first line opens a quote and is longer than what is looked at first: it is no table.
{
	printf '"a, '
	head -c 70000 /dev/zero | tr '\0' y
	echo
} >notes.txt
timeout 20 kstats top notes.txt
echo $?
mkdir run
cp notes.txt "$TESTDATA"/rocprofv3/7.0/sync_each/*_kernel_trace.csv run
timeout 20 kstats top -q -f csv --columns name,calls run
