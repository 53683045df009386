# -o with the name of an input would leave a table where the trace was: it is refused, also by another name of that file
# and as the file of a rank.  Only tracemerge adds to its own database.
cp "$TESTDATA/rocprofv3/7.0/run/"*_kernel_trace.csv k.csv && cp k.csv same.csv && ln -s k.csv link.csv
kstats top -o k.csv k.csv
kstats top -q -f csv -o link.csv 3=./k.csv
tracecat -o k.csv link.csv
tracereport -o k.csv k.csv
tracemerge -o k.csv k.csv
cmp k.csv same.csv
tracemerge -q -o run.db k.csv && tracemerge -q -o run.db run.db && kstats top -q -f csv --columns name,calls run.db
