# A window that ends before it begins, or where it does: say so, whatever is in the trace.
ln -s "$TESTDATA" data
for window in 5..3 5..5 50%..50%; do
	kstats top -f csv --name base -w $window data/rocprofv3/7.0/run/app_kernel_trace.csv
done
