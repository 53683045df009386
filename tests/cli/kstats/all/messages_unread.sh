# Nobody reads the messages any more: what -o names is written all the same.  The truncated file has a warning.
head -c 2950 "$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv" >part_kernel_trace.csv
mkfifo messages
for tool in 'kstats top -f csv --columns name,calls' 'tracereport -f md' 'tracecat' 'tracemerge'; do
	: <messages &
	exec 3>messages
	wait $!
	$tool -o out part_kernel_trace.csv 2>&3
	echo "status $?, $(ls out)"
	exec 3>&-
	rm -f out
done
