# One run as CSV and as a pftrace: every kernel would count twice, which bytes do not tell.  That is an
# error; tracecat only notes it, and two runs of different names are two runs.
mkdir one
cp "$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv" one/7_kernel_trace.csv
cp "$TESTDATA/perfetto-sdk/44/tiny/tiny.pftrace" one/7_results.pftrace
kstats top -q -n 1 -f csv --columns name one; echo "status $?"
# Statistics of the same run beside them, whose format "rocprof-stats" stands between the two by name, hide nothing.
cp "$TESTDATA/rocprofv3/7.0/stats/app_kernel_stats.csv" one/7_kernel_stats.csv
kstats top -q -n 1 -f csv --columns name one; echo "status $?"
kstats timeline -q -n 1 -f csv --columns agent one; echo "status $?"
rm one/7_kernel_stats.csv
kstats top -f csv -n 1 --columns name one/7_kernel_trace.csv; echo "status $?"
mv one/7_results.pftrace one/8_results.pftrace
kstats top -q -f csv -n 1 --columns name one
