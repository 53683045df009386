# Kernels a and b of each rank, launched inside fwd and behind it.  In a window with b alone there is one row, of what is
# in no region.  A rank that copied nothing has 0 of copies and not nothing: its trace has kernels.  So has one with
# nothing but copies of kernels.
awk 'BEGIN {
	print "kind,domain,rank,pid,tid,agent,corr,name,start_ns,end_ns,src,dst"
	for (r = 0; r < 2; r++) {
		printf "api,hip,%d,7,7,,1,hipLaunchKernel,1600,1700,,\napi,hip,%d,7,7,,2,hipLaunchKernel,5600,5700,,\n", r, r
		printf "marker,marker,%d,7,7,,,fwd,1500,4000,,\n", r
		printf "kernel,kernel,%d,7,,4,1,a,2000,3000,,\nkernel,kernel,%d,7,,4,2,b,6000,7000,,\n", r, r
	}
	printf "api,hip,0,7,7,,3,hipMemcpy,3400,3900,,\ncopy,copy,0,7,,4,3,host_to_device,3500,3800,0,4\n"
	printf "api,hip,2,7,7,,3,hipMemcpy,3400,3900,,\ncopy,copy,2,7,,4,3,host_to_device,3500,3800,0,4\nmarker,marker,2,7,7,,,fwd,1500,4000,,\n"
	printf "marker,marker,3,7,7,,,fwd,1500,4000,,\n"
}' >a.csv
columns=rank,region,count,gpu_total_ns,gpu_busy_ns,kernels,reason
kstats regions -q -f csv --columns $columns --rank 0 -w 5000..8000 a.csv
echo "status $?"
kstats regions -f csv --columns $columns --domain copy a.csv
kstats regions -q -f csv --columns $columns a.csv
kstats regions -q --list -f csv --domain copy --columns rank,gpu_total_ns,kernels a.csv
# With nothing else there: no kernels is what there is to say.
kstats regions -f csv --rank 0 -w 8000..9000 a.csv
echo "status $?"
