# Readings that hold until they change, as rocmProfileData writes them.  GPU 0 draws 100 W for 1 s, 300 W for 2 s and 200 W for 1 s:
# 900 J, on average 225 W, and 95 % of the 4 s, 3.8 s, are not above 300 W.  Its clock is 800 MHz for 3 s and 1700 MHz for 1 s.  GPU 1
# draws 50 W; a CPU is no GPU, and a value that is no power is none.
ms=1000000
db() { # FILE
	cp "$TESTDATA/rpd/3/run/trace.rpd" "$1" && chmod u+w "$1"
	for t in op monitor api api_ops counter copyapi kernelapi; do printf 'DELETE FROM rocpd_%s;' $t; done | sqlite3 "$1"
}
reading() { # KIND DEVICE SENSOR FROM TO VALUE, in ms
	printf "INSERT INTO rocpd_monitor(deviceType,deviceId,monitorType,start,\"end\",value) VALUES ('%s',%s,'%s',%s,%s,'%s');\n" \
		"$1" "$2" "$3" $(($4 * ms)) $(($5 * ms)) "$6"
}
db t.rpd
{
	reading gpu 0 power 1000 2000 100
	reading gpu 0 power 2000 4000 300
	reading gpu 0 power 4000 5000 200
	reading gpu 0 sclk 1000 4000 800
	reading gpu 0 sclk 4000 5000 1700
	reading gpu 1 power 1000 5000 50
	reading gpu 1 temp 1000 5000 -4
	reading cpu 0 power 1000 5000 70
	reading gpu 0 fan 1000 5000 70
} | sqlite3 t.rpd
powerstats -f csv t.rpd || exit
COLUMNS=120 powerstats -q t.rpd || exit
powerstats -q -f csv --what power --scale 2 --columns agent,mean,energy_j t.rpd || exit
# The same from a database, of which half a run is another rank, and of half the time: 50 + 600 J.
tracemerge -q -o run.db t.rpd || exit
powerstats -q -f csv t.rpd >raw
powerstats -q -f csv run.db | cmp - raw || exit
powerstats -f csv -w +500ms..+3s --columns agent,sensor,samples,span_s,mean,p95,energy_j t.rpd || exit
# Kernels a in [1.5 s, 2.5 s) and b in [3 s, 3.5 s); steps are [1 s, 3 s) and [3 s, 4.5 s).
sqlite3 t.rpd "INSERT INTO rocpd_string(id,string) VALUES (101,'a'),(102,'b');
	INSERT INTO rocpd_ustring(id,string) VALUES (201,'step 1'),(202,'step 2');
	INSERT INTO rocpd_op(id,gpuId,queueId,sequenceId,description_id,start,\"end\",opType_id) VALUES
		(1,0,0,0,101,1500000000,2500000000,5), (2,0,0,0,102,3000000000,3500000000,5);
	INSERT INTO rocpd_api(id,pid,tid,start,\"end\",apiName_id,args_id) VALUES
		(11,5,5,1000000000,3000000000,6,201), (12,5,5,3000000000,4500000000,6,202),
		(13,5,5,1100000000,1110000000,3,1), (14,5,5,3010000000,3020000000,3,1);
	INSERT INTO rocpd_api_ops(api_id,op_id) VALUES (13,1),(14,2)" || exit
for by in class step region op; do
	echo "by $by"
	powerstats -q -f csv --by $by t.rpd || exit
done
powerstats --by step t.rpd || exit
powerstats -q -f csv --by step -w +500ms..+3s t.rpd || exit
tracemerge -q -o run.db t.rpd || exit
for by in class step region op; do
	powerstats -q -f csv --by $by t.rpd >raw
	powerstats -q -f csv --by $by run.db | cmp - raw || exit
done
# The first screen has a line of each.
COLUMNS=80 kstats -q t.rpd | grep "^power\|^clock"
# A run.db of before ends were kept: each holds until the next, and the last for an unknown time: 100 + 600 J.
tracemerge -q -o old.db t.rpd && sqlite3 old.db 'UPDATE counter SET end_ns = start_ns' || exit
powerstats -q -f csv --columns agent,sensor,duration_s,mean,energy_j old.db
