# Two formats of one name that hold different kernels: one of them is left from another run, so there is no answer, also
# with statistics beside them.  Either of them alone has one, and two runs of different names are two runs.
mkdir one
cp "$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv" one/7_kernel_trace.csv
cp "$TESTDATA/perfetto-sdk/44/tiny/tiny.pftrace" one/7_results.pftrace
kstats top -q -n 1 -f csv --columns name one; echo "status $?"
cp "$TESTDATA/rocprofv3/7.0/stats/app_kernel_stats.csv" one/7_kernel_stats.csv
kstats top -q -n 1 -f csv --columns name one; echo "status $?"
kstats timeline -q -n 1 -f csv --columns agent one; echo "status $?"
rm one/7_kernel_stats.csv
kstats top -f csv -n 1 --columns name one/7_kernel_trace.csv; echo "status $?"
mv one/7_results.pftrace one/8_results.pftrace
kstats top -q -f csv -n 1 --columns name one
