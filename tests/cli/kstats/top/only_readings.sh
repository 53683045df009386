# A trace of sensors alone has no kernels, and none of a counter collection either: powerstats reads it.
cp "$TESTDATA/rpd/3/run/trace.rpd" t.rpd && chmod u+w t.rpd
{
	for t in op monitor api api_ops counter copyapi kernelapi; do printf 'DELETE FROM rocpd_%s;' $t; done
	echo "INSERT INTO rocpd_monitor(deviceType,deviceId,monitorType,start,\"end\",value) VALUES ('gpu',0,'power',1000,2000,'100');"
} | sqlite3 t.rpd
tracemerge -q -o run.db t.rpd || exit
kstats top t.rpd && exit
for f in t.rpd run.db; do
	for c in summary timeline gaps steps; do
		kstats $c $f && exit
	done
done
# A table of counters is one of kernels, only without times to trust.
kstats timeline "$TESTDATA/rocprofv3/7.0/pmc" 2>&1 | sed 's/.*: error/error/'
