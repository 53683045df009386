# What there is of a part is seen, however thin it is.  The picture has 512 columns, here of 1,000 ns, and 100 steps in
# each, compute below communication below copies.  Column 100 has 3 ns of communication and 3 ns of copies (0.3 steps
# each): 4 steps each, up to 4 and up to 8.  Column 200 is full, 994 ns of compute and 3 and 3: up to 92, 96 and 100.
{
	echo 'kind,rank,pid,agent,queue,stream,corr,name,start_ns,end_ns,bytes,direction,domain'
	kernel() { echo "kernel,0,7,4,1,1,,$1,$((1000000 + $2)),$((1000000 + $3)),,,kernel"; }
	copy() { echo "copy,0,7,4,1,1,,COPY,$((1000000 + $1)),$((1000000 + $2)),64,host_to_device,copy"; }
	kernel work 0 1000
	kernel ncclDevKernel_AllReduce 100000 100003
	copy 100003 100006
	kernel work 200000 200994
	kernel ncclDevKernel_AllReduce 200994 200997
	copy 200997 201000
	kernel work 511000 512000
} >in.csv
tracereport -q in.csv | grep -o '<path class="f-[^>]* d="M0 100V0h1[^>]*>'
