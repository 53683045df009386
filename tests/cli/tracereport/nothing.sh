# Without anything to show there is no page: a trace without rows, then a file that is not there.
mkdir run
head -n 1 "$TESTDATA/rocprofv3/7.0/sync_each/app_kernel_trace.csv" >run/app_kernel_trace.csv
tracereport run; echo $?
tracereport -o page.html missing
echo $?
ls
tracereport missing
