# A file that ends inside a row: what could be read is reported, the page says so, and the status is 2.
mkdir run
head -c 900 "$TESTDATA/rocprofv3/7.0/sync_each/app_kernel_trace.csv" >run/app_kernel_trace.csv
tracereport -o page.html run
echo $?
grep -c 'truncated, or still being written' page.html
tail -n 1 page.html
tracereport -q run >/dev/null
