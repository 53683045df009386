# The same bytes twice, under another name and compressed or not by another path, count once.
mkdir a b
cp "$TESTDATA"/rocprofv3/7.0/run/app_kernel_trace.csv a/x.csv
cp a/x.csv b/y.csv
kstats top -f csv --name base a b
