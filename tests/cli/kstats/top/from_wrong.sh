# --from with a format the file is not: say what it lacks.
ln -s "$TESTDATA" data
kstats top -f csv --name base --from rocprofv2-csv data/rocprofv3/7.0/run/app_kernel_trace.csv; echo $?
kstats top -f csv --name base --from rocprof-stats data/rocprofv3/7.0/run/app_kernel_trace.csv
