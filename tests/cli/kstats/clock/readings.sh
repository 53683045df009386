# The clock of kernels from readings of a sensor.  Kernel a has 1500, 1600 and 1700 MHz in a row: 1600, 20 % below 2000, the largest
# reading; that of 2050 meets no kernel.  b has one, c runs with a at 4750, and after b a has two: too few.  The GPU has 1500 +
# 1600 + 1700 + 1400 + 1000 + 1000 + 1300 = 9500 of 7.  GPU 1 and CPU 0 are others.
db() { # FILE
	rm -f "$1"
	cp "$TESTDATA/rpd/3/run/trace.rpd" "$1" && chmod u+w "$1"
	sqlite3 "$1" "DELETE FROM rocpd_op; DELETE FROM rocpd_monitor; DELETE FROM rocpd_api; DELETE FROM rocpd_api_ops; DELETE FROM rocpd_counter; DELETE FROM rocpd_copyapi; DELETE FROM rocpd_kernelapi;
		INSERT INTO rocpd_string(id,string) VALUES (101,'a'),(102,'b'),(103,'c')"
}
read_() { sqlite3 "$1" "INSERT INTO rocpd_monitor(deviceType,deviceId,monitorType,start,\"end\",value) VALUES ('$2',$3,'sclk',$4,$4,'$5')"; }
db t.rpd
for i in 101,1000,2000 101,2100,3000 102,3000,3500 101,3500,4500 103,4600,5000 101,4700,4900; do
	printf "INSERT INTO rocpd_op(gpuId,queueId,sequenceId,description_id,start,\"end\",opType_id) VALUES (0,0,0,%s,5);\n" $i
done >ops
for i in 1100,1500 1500,1600 2050,900 2200,1700 3200,1400 3600,1000 4000,1000 4550,2000 4750,1300; do
	printf "INSERT INTO rocpd_monitor(deviceType,deviceId,monitorType,start,\"end\",value) VALUES ('gpu',0,'sclk',%s,%s,'%s');\n" \
		${i%,*} ${i%,*} ${i#*,}
done >readings
sqlite3 t.rpd <ops
sqlite3 t.rpd <readings
read_ t.rpd gpu 1 1200 1
read_ t.rpd cpu 0 1200 3000
kstats clock -f csv t.rpd || exit
COLUMNS=120 kstats clock -q t.rpd || exit
kstats clock -q -f csv --max-mhz 1900 --columns name,clock_mhz,max_mhz,slowdown_pct t.rpd || exit
tracemerge -q -o run.db t.rpd || exit
kstats clock -q -f csv t.rpd >raw
kstats clock -q -f csv run.db | cmp - raw || exit
# Where kernels ran on GPU 2 and readings are of two others, they do not belong together; where they are of one, they do.
sqlite3 t.rpd "UPDATE rocpd_op SET gpuId=2"
kstats clock -f csv t.rpd
sqlite3 t.rpd "DELETE FROM rocpd_monitor WHERE deviceId=1"
kstats clock -q -f csv --columns agent,name,clock_mhz t.rpd || exit
# Two readings are no clock; no readings at all.
kstats clock -w 1000ns..1600ns t.rpd; echo $?
kstats clock "$TESTDATA/rocprofv3/7.0/run"; echo $?
kstats clock -k a t.rpd
