# Totals have the findings of their trace, also where no GPU did anything: lost kernels need no replay, and no rank is counted
# then.  Totals of 2 to 64 ranks have none, for their replay needs events, and a note says so.
cat >kernels.json <<'END'
{"schemaVersion":1,"deviceProperties":[],"traceEvents":[
{"ph":"X","cat":"cuda_runtime","name":"hipLaunchKernel","pid":1,"tid":1,"ts":10,"dur":2,"args":{"correlation":1}}
]}
END
printf '%s\n' kind,rank,agent,stream,name,start_ns,end_ns,bytes copy,0,4,1,MEMORY_COPY_HOST_TO_DEVICE,1000,2000,64 >copies.csv
for trace in kernels.json copies.csv "$TESTDATA/rocprofv3/7.0/sync_each"; do
	tracemerge -q --stats-only -o run.db "$trace"
	kstats -q -f csv "$trace" 2>/dev/null | grep '^finding' | sed "s|$trace|@|" >want
	kstats -q -f csv run.db 2>/dev/null | grep '^finding' | sed 's|run.db|@|' | cmp - want && wc -l <want
done
tracemerge -q --stats-only -o run.db "$TESTDATA/rocprofv3/7.0/ranks"
kstats -f csv run.db >out && echo "$(grep -c '^finding' out) findings"
