# Tables that share what they are made of say what each says alone, whichever is asked first: eight kernels in a range,
# the k-th of them k us, and one outside.
#
#   8 us of the longest, 36 us of all in "fwd"; 9 kernels
{
	echo kind,rank,pid,tid,agent,corr,name,start_ns,end_ns,domain
	echo marker,0,1,1,,,fwd,0,5000,marker
	for k in 1 2 3 4 5 6 7 8 9; do
		at=$((k < 9 ? k * 100 : 9000))
		echo "api,0,1,1,,$k,hipLaunchKernel,$at,$((at + 10)),hip"
		echo "kernel,0,1,1,4,$k,kernel_$k,$((k * 20000)),$((k * 20000 + k * 1000)),kernel"
	done
} >events.csv
kernels='regions(--kernels)[*].total_us <= 9'
regions='regions[fwd].gpu_total_us == 36'
list='regions(--list)[fwd].gpu_total_us == 36'
for order in "$kernels|$regions|$list" "$list|$regions|$kernels" "$regions|$kernels" "$kernels|$list" "$kernels"; do
	echo "$order" | tr '|' '\n' >rules
	tracecheck -q -f csv --columns verdict,value,rows,rule --rules rules events.csv
done
