# Text for people through a pipe: 120 columns wide, units scaled, a bar for the share, names last.
ln -s "$TESTDATA" data
kstats top data/rocprofv3/7.0/run/app_kernel_trace.csv
