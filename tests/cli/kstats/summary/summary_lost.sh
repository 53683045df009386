# How many records were lost nobody knows where the profiler tells only in how many places: absent, not 1.
ln -s "$TESTDATA" data
{ cat data/perfetto-sdk/44/tiny/tiny.pftrace; printf '\012\005\320\002\001\120\001'; } >dropped.pftrace
kstats summary -f csv --columns metric,value,name dropped.pftrace >out
echo "status $?"
grep -E '^(rows|records|kernels)' out
# A trace whose kernels are all lost says so in a row, and its status.
cat >kernels.json <<'END'
{"schemaVersion":1,"deviceProperties":[],"traceEvents":[
{"ph":"X","cat":"cuda_runtime","name":"hipLaunchKernel","pid":1,"tid":1,"ts":10,"dur":2,"args":{"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"hipLaunchKernel","pid":1,"tid":1,"ts":20,"dur":2,"args":{"correlation":2}}
]}
END
kstats summary -f csv --columns metric,value,name kernels.json >out
echo "status $?"
grep -E '^(rows|records|kernels)' out
tracemerge -q -o run.db kernels.json
grep -v command out >want
kstats summary -f csv --columns metric,value,name run.db 2>/dev/null | grep -v command | cmp - want
