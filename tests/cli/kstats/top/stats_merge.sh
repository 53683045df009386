# Statistics of two ranks of one job merge exactly: twice the calls and totals, extremes stay.
mkdir a b
cp "$TESTDATA"/rocprofv3/7.0/stats/app_kernel_stats.csv a/0_kernel_stats.csv
cp "$TESTDATA"/rocprofv3/7.0/stats/app_kernel_stats.csv b/1_kernel_stats.csv
kstats top -f csv 0=a 1=b
