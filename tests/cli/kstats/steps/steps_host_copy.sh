# A copy from host to host is no work of a GPU, but a copy: step 2 has one without a size, so that its sum is not known;
# in step 3 one of 100 bytes counts beside one of 4096 to the GPU.  Step 4 has none: 0.  A rank whose only copy is one
# from host to host has copies, without any GPU work, too.
cat >events.csv <<'END_OF_CSV'
kind,rank,agent,name,start_ns,end_ns,bytes,direction,src,dst
marker,0,,step 1,0,100,,,,
marker,0,,step 2,100,200,,,,
marker,0,,step 3,200,300,,,,
marker,0,,step 4,300,400,,,,
kernel,0,4,k,0,10,,,,
copy,0,,MEMORY_COPY_HOST_TO_DEVICE,20,30,512,host_to_device,CPU 0,4
copy,0,,MEMORY_COPY_HOST_TO_HOST,120,130,,host_to_host,CPU 0,CPU 0
copy,0,,MEMORY_COPY_HOST_TO_HOST,210,220,100,host_to_host,CPU 0,CPU 0
copy,0,,MEMORY_COPY_HOST_TO_DEVICE,230,240,4096,host_to_device,CPU 0,4
marker,1,,step 1,0,100,,,,
marker,1,,step 2,100,200,,,,
copy,1,,MEMORY_COPY_HOST_TO_HOST,20,30,7,host_to_host,CPU 0,CPU 0
END_OF_CSV
kstats steps -q -f csv --columns rank,step,busy_ns,exposed_copy_ns,copied_bytes events.csv >table && cat table &&
	kstats steps -q -f csv -j 4 --columns rank,step,busy_ns,exposed_copy_ns,copied_bytes events.csv | cmp - table &&
	tracemerge -q --stats-only -o run.db events.csv && kstats steps -q -f csv --columns rank,step,busy_ns,exposed_copy_ns,copied_bytes run.db | cmp - table &&
	kstats steps -q -f csv --columns rank,step,busy_ns,copied_bytes -w 200..300 events.csv
