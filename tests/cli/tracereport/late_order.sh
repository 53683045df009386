# Two ranks meet in two communicators in turn.  The map of who came last has one communicator after the other, and says so; with one
# communicator it is in order of time.
for comms in 2 1; do
	awk -v comms=$comms 'BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,type,comm,comm_ranks,start_ns,end_ns"
		for (i = 0; i < 8; i++)
			for (r = 0; r < 2; r++)
				printf "kernel,kernel,%d,%d,7,4,1,ncclDevKernel_x,ncclAllReduce,c%d,2,%d,%d\n", r, r + 1, i % comms,
					i * 1000000 + r * 200000, i * 1000000 + 500000
	}' >events.csv
	tracereport -q -o page.html events.csv
	grep -o 'Who came last to collectives[^<"]*' page.html | head -n 1
done
