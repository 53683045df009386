# The copy inside the window has no size, one outside has: the input has sizes.
cat >events.csv <<'END_OF_CSV'
kind,rank,agent,name,start_ns,end_ns,bytes,direction,src,dst
kernel,0,4,k,0,300,,,,
copy,0,,MEMORY_COPY_HOST_TO_DEVICE,100,110,4096,host_to_device,CPU 0,4
copy,0,,MEMORY_COPY_HOST_TO_DEVICE,200,210,,host_to_device,CPU 0,4
END_OF_CSV
kstats copies -f csv -w 200..235 events.csv && kstats copies -f csv events.csv
