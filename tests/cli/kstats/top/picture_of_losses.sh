# A timeline that tracecat drew of a trace is of the same run where the trace is truncated, or has no kernels, too: nothing counts twice.
#
# The table of API calls holds 6 launches and 6 waits. The trace of kernels ends inside its last line: 5 of 6 kernels are left.
mkdir calls cut
cp "$TESTDATA"/rocprofv3/7.0/sync_each/*_hip_api_trace.csv calls
(cd "$TESTDATA/rocprofv3/7.0/sync_each" && cat ./*_kernel_trace.csv) | head -c -20 >cut/a_kernel_trace.csv
for dir in calls cut; do
	kstats top -q -f csv --domain all --columns name,calls,total_ns $dir 2>alone.err >alone
	for to in pftrace chrome; do
		tracecat -q --to $to -o timeline.$to $dir 2>/dev/null
	done
	mv timeline.* $dir
	kstats top -q -f csv --domain all --columns name,calls,total_ns $dir 2>beside.err >beside
	cat alone
	diff alone beside && echo "the same with the timelines beside it"
done
cat beside.err
