# Formats of one run that do not tell the same: no table, no database, status 2, and where they differ (the first kernel
# by name, calls and time of both).  A profiler's own differences are none: rpd2tracing rounds to microseconds,
# a pftrace of rocprofv3 cuts kernels short where they overlap.  tracecat info lists the files all the same.
json() {
	printf '{"traceEvents":[{}'
	while read -r name start end; do
		printf ',\n{"ph":"X","name":"%s","pid":"6","tid":"1","ts":"%d","dur":"%d","args":{"BeginNs":"%d","EndNs":"%d","pid":"6","tid":"1","Name":"%s","DurationNs":"%d"}}' \
			"$name" $((start / 1000)) $(((end - start) / 1000)) "$start" "$end" "$name" $((end - start))
	done
	printf ',\n{"args":{"name":"GPU0"},"ph":"M","pid":6,"name":"process_name","sort_index":3}]}\n'
}
v1() {
	echo '"Index","KernelName","gpu-id","BeginNs","EndNs"'
	i=0
	while read -r name start end; do
		printf '%d,"%s",0,%d,%d\n' $((i)) "$name" "$start" "$end"
		i=$((i + 1))
	done
}
events() {
	printf '%s\n' 'alpha 1000000 1005000' 'beta 1006000 1016000' 'alpha 1020000 1027000'
}
mkdir run
events | v1 >run/results.csv
events | json >run/results.json
kstats top -f csv --columns name,calls,total_ns run; echo "status $?"
# One kernel is longer: alpha 12,000 ns in the table, 12,500 in the other.
events | sed 's/1027000/1027500/' | json >run/results.json
kstats top -f csv run; echo "status $?"
kstats timeline -f csv run; echo "status $?"
kstats top -f csv -w 0%..50% run; echo "status $?"
tracemerge -o run.db run; echo "status $?"; test -e run.db && echo there
tar cf run.tar run
kstats top -f csv run.tar; echo "status $?"
tracemerge -o run.db - <run.tar; echo "status $?"; test -e run.db && echo there
tracecat run; echo "status $?"
tracecat info -f csv --columns rows,path run; echo "status $?"
powerstats --trace run "$TESTDATA/madengine/2.0/energy/gpu_info_power_profiler_output.csv"; echo "status $?"
# One kernel is missing.
events | sed 2d | json >run/results.json
kstats top -f csv run; echo "status $?"
# Other names for the same kernels.
events | sed 's/alpha/one/; s/beta/two/' | json >run/results.json
kstats top -f csv --columns name,calls,total_ns run; echo "status $?"
# Two runs of different names are two runs.
events | sed 's/1027000/1027500/' | json >run/results.json
mv run/results.json run/second.json
kstats top -f csv --columns name,calls,total_ns run; echo "status $?"
# Told apart by hand.
kstats top -f csv --columns calls,total_ns 0=run/results.csv 1=run/second.json; echo "status $?"
