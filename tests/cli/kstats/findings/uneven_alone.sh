# Three ranks that exchange nothing by way of their GPUs, as with MPI.  Each of ten steps takes 1 ms on all, as they wait for each other on their
# hosts; in it ranks 0 and 1 compute for 400 us and rank 2 for 900.  That is 10 * 900 us, of a mean of 10 * 1700 / 3: it could save the
# difference of 3333333 ns at most.  A replay that does not know of the waits would say that all take longer.
awk 'BEGIN {
	print "kind,domain,rank,pid,tid,agent,stream,name,corr,start_ns,end_ns"
	for (r = 0; r < 3; r++)
		for (i = 1; i <= 10; i++) {
			t = i * 1000000
			printf "api,hip,%d,%d,7,,,hipLaunchKernel,%d,%d,%d\n", r, r + 1, i, t - 5000, t - 3000
			printf "kernel,kernel,%d,%d,7,4,1,Cijk_a,%d,%d,%d\n", r, r + 1, i, t, t + (r == 2 ? 900000 : 400000)
			printf "api,hip,%d,%d,7,,,hipDeviceSynchronize,%d,%d,%d\n", r, r + 1, i + 100, t - 2000, t + (r == 2 ? 903000 : 403000)
		}
}' >events.csv
kstats findings -q -f csv --columns rank,id,saves_ns,title events.csv | grep uneven
kstats findings -q --explain uneven-work events.csv
kstats whatif -q -f csv --columns scenario events.csv | grep -c balanced
kstats whatif -q --balance events.csv
