# A column that is nearly one, and one that is not.
ln -s "$TESTDATA" data
kstats top --columns name,totl_ns data/rocprofv3/7.0/run/app_kernel_trace.csv; echo $?
kstats top --columns xyzzy data/rocprofv3/7.0/run/app_kernel_trace.csv; echo $?
kstats top --columns name, data/rocprofv3/7.0/run/app_kernel_trace.csv
