# A value in a title is not cut to nothing: 90 bytes in 100 us are 0.0009 GB/s, 1230 are 0.0123 and 123000 are 1.23.
run() { # BYTES
	printf '%s\n' kind,rank,pid,tid,agent,queue,stream,corr,name,start_ns,end_ns,bytes,direction,src,dst \
		kernel,0,1,1,4,1,1,1,k,0,100000,,,, copy,0,1,1,4,,1,2,MEMORY_COPY_DEVICE_TO_HOST,200000,300000,"$1",device_to_host,4,0 >e.csv
	kstats findings -q e.csv | grep 'slow or tiny copies'
}
run 90
run 1230
run 123000
# Nor are sizes left in bytes: 5 GiB.
printf '%s\n' kind,rank,pid,tid,agent,queue,stream,corr,name,start_ns,end_ns,bytes,address \
	kernel,0,1,1,4,1,1,1,k,0,100000,, alloc,0,1,1,4,,,2,ALLOCATE,10,20,5368709120,4096 >e.csv
kstats findings -q e.csv | grep 'not freed'
