# -v names the files that are no traces; other notes stay.
mkdir run
cp "$TESTDATA"/rocprofv3/7.0/run/app_kernel_trace.csv run
echo hello >run/log.txt
: >run/empty.csv
kstats top -f csv --name base -v run
