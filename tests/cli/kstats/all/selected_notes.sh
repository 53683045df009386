# What filters left out may be in the input: that the input has none of it would be wrong.  Agent 5 has no copies, nor
# stream 9 kernels; inside 0..50 only communication kernels start, which scale nothing, and no call.
cat >events.csv <<'END_OF_CSV'
kind,rank,pid,tid,agent,stream,corr,name,start_ns,end_ns,direction,src,dst
api,0,1,1,,,1,hipLaunchKernel,60,65,,,
kernel,0,1,,4,1,1,Cijk_gemm,100,200,,,
kernel,0,1,,5,1,2,ncclDevKernel_Generic,10,200,,,
copy,0,1,,,2,3,MEMORY_COPY_HOST_TO_DEVICE,210,220,host_to_device,CPU 0,4
END_OF_CSV
kstats timeline -f csv --columns agent,idle_ns --agent 5 events.csv
kstats timeline -f csv --columns agent,idle_ns --agent 9 events.csv; echo $?
kstats top -f csv --columns name --stream 2 events.csv; echo $?
kstats ops -f csv --agent 9 events.csv; echo $?
kstats occupancy -f csv --agent 9 events.csv; echo $?
kstats roofline -f csv -w 0..50 events.csv; echo $?
kstats whatif -f csv --columns scenario -w 0..50 events.csv | sed 1d
kstats whatif -f csv --scale gemm=2 -w 0..50 events.csv; echo $?
