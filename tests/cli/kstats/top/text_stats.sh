# What statistics files cannot say is a dash, or a column left out where no row has it.
ln -s "$TESTDATA" data
kstats top data/rocprofv3/7.0/stats/app_kernel_stats.csv
