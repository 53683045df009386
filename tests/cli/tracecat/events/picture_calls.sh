# Calls alone: whether kernels that were launched are missing is said of a picture as of its trace.  A table of HIP calls comes
# without kernels, so nothing is lost, and there is no answer; torch.profiler writes all that it traced, so there they are missing.
printf '%s\n' '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"' \
	'"HIP_RUNTIME_API","hipLaunchKernel",7,7,1,1000,2000' '"HIP_RUNTIME_API","hipDeviceSynchronize",7,7,2,3000,9000' >table.csv
cat >torch.json <<'END'
{"schemaVersion":1,"deviceProperties":[],"traceEvents":[
{"ph":"X","cat":"cuda_runtime","name":"hipLaunchKernel","pid":1,"tid":1,"ts":10,"dur":2,"args":{"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"hipLaunchKernel","pid":1,"tid":1,"ts":20,"dur":2,"args":{"correlation":2}}
]}
END
ask() {
	tracecat info -q -f csv --columns skipped,lost,lost_why "$1"
	kstats -q -f csv "$1" | grep kernels.lost,
	kstats "$1"
	echo "status $?"
}
for trace in table.csv torch.json; do
	ask $trace >want 2>&1
	sed -n '/lost/p; /status/p' want
	for to in pftrace chrome; do
		tracecat -q --to $to -o once.$to $trace
		tracecat -q --to $to -o twice.$to once.$to
		for input in once.$to twice.$to; do
			ask "$input" >have 2>&1
			sed "s/$trace/@/; s/^torch.profiler/BY/" want | tr -s ' ' >a
			sed "s/$input/@/; s/^tracemill/BY/" have | tr -s ' ' | cmp - a && echo "$input of $trace: the same"
		done
	done
done
