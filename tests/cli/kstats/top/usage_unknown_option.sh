# An option that is none; one that is nearly one; a letter.
ln -s "$TESTDATA" data
kstats top --bogus data/rocprofv3/7.0/run/app_kernel_trace.csv; echo $?
kstats top --strct data/rocprofv3/7.0/run/app_kernel_trace.csv; echo $?
kstats top -Z data/rocprofv3/7.0/run/app_kernel_trace.csv
