# The clock of a kernel on its page: 1500, 1600 and 1700 MHz while it runs, of 2000.
cp "$TESTDATA/rpd/3/run/trace.rpd" t.rpd && chmod u+w t.rpd
sqlite3 t.rpd "DELETE FROM rocpd_op; DELETE FROM rocpd_monitor; DELETE FROM rocpd_api; DELETE FROM rocpd_api_ops; DELETE FROM rocpd_counter;
	DELETE FROM rocpd_copyapi; DELETE FROM rocpd_kernelapi;
	INSERT INTO rocpd_op(gpuId,queueId,sequenceId,description_id,start,\"end\",opType_id) VALUES (0,0,0,4,1000,4000,5);
	INSERT INTO rocpd_monitor(deviceType,deviceId,monitorType,start,\"end\",value)
	VALUES ('gpu',0,'sclk',1100,1100,'1500'),('gpu',0,'sclk',1200,1200,'1600'),('gpu',0,'sclk',1300,1300,'1700'),('gpu',0,'sclk',9000,9000,'2000')"
kstats kernel -q -f csv fill t.rpd >page || exit
grep -E '^(clock|answer|missing)' page
