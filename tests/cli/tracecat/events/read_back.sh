# A timeline is read again as the run that it shows: GPUs and ranks are told apart, as JSON and with few arguments too.
# The tables of the timeline must be those of the run, byte for byte; with --args none kernels have short names, so
# there only what does not list names.  Times of JSON count from the first event, so which clock it was is lost there.
ask() {
	columns=
	[ "$1 $4" = 'ranks chrome' ] && columns=rank,host,pid,agents,window_ns,busy_ns,compute_ns,exposed_comm_ns,idle_ns,sync_ns,wait_ns,move_ns
	kstats "$1" -q -f csv ${columns:+--columns $columns} "$3" >"$2" || echo "kstats $1 $3: status $?"
}
for run in rocprofv3/7.0/run rocprofv3/7.0/ranks rocprofv3/7.0/sync_each rocpd/3.0.5/processes kineto/2.9/train rpd/2/sessions/trace.rpd; do
	for to in pftrace chrome; do
		for table in timeline ranks top; do
			ask $table "$table.want" "$TESTDATA/$run" $to
		done
		for args in all few none; do
			tracecat -q --to $to --args $args -o drawn "$TESTDATA/$run" || exit
			for table in timeline ranks top; do
				[ $table$args = topnone ] && continue
				ask $table have drawn $to
				cmp $table.want have || echo "$run, --to $to --args $args: another kstats $table"
			done
		done
	done
	# Shapes, threads and processes as well: all columns but times, which count from the first event in JSON.
	columns=kind,rank,name,corr,agent,queue,stream,pid,tid,workgroup,grid,bytes,address
	for to in pftrace chrome; do
		tracecat -q --to $to -o drawn "$TESTDATA/$run" && tracecat -q --kind kernel,copy,api,marker,alloc --columns $columns drawn | sort >$to.rows
	done
	cmp pftrace.rows chrome.rows
done
