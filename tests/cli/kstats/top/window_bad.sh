# Windows that are none: each with what one looks like.
ln -s "$TESTDATA" data
for w in foo 5 5..6..7 10%..101% +1.5s..x -1.. 1.5..2 +1d..; do
	kstats top -w "$w" data/rocprofv3/7.0/run/app_kernel_trace.csv
	echo "$w $?"
done
kstats top -w "" data/rocprofv3/7.0/run/app_kernel_trace.csv
