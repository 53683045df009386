# Ten steps of 1 ms: ranks compute for 300 us, and all-reduce until the last one has come and for 100 us more.  The last is rank 2, after 800 us, whose
# trace is absent: nobody here is late, and what the others wait looks like communication.
#
#   gap    ranks 0, 1 and 3 do not say of how many: 2 is between them
#   ends   of 8 each, as their communicator says: 2 and 4 to 7
#   gpus   rank 0 has two GPUs, rank 3 has two, of a communicator of 4: they count GPUs, and nobody is absent
#   pairs  ranks 0 and 3 are a communicator of 2: nobody is absent
#   some   one of each node of 8 of 64, in a communicator of 64: the first are named
#   node   ranks 8, 9 and 11, in a communicator of 4, which is that of one node of several: 10
#   apart  ranks 0, 1 and 3 do not communicate: nobody waits
#
# Nor do ranks say anything that were left out, or numbered in the order of the inputs: the second of three is a log.
rows() {
	awk -v what="$1" 'function rank(r, agent, n,    i, t) {
			for (i = 0; i < 10; i++) {
				t = i * 1000
				row(r, agent, "Cijk_a", "", 0, t, t + 300)
				if (what != "apart")
					row(r, agent, "ncclDevKernel_x", "ncclAllReduce", n, t + 300, t + 900)
			}
		}
		function row(r, agent, name, type, n, from, to) {
			printf "kernel,kernel,%d,%d,7,%d,1,%s,%s,%s,%s,%d,%d\n", r, r + 1, agent, name, type, n && type ? "c" : "", n && type ? n : "", from * 1e3, to * 1e3
		}
		BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,type,comm,comm_ranks,start_ns,end_ns"
		n = what == "ends" ? 8 : what == "gpus" ? 4 : what == "pairs" ? 2 : what == "some" ? 64 : what == "node" ? 4 : 0
		for (r = 0; r < 64; r++)
			if (what == "some" ? r % 8 == 0 : what == "node" ? r > 7 && r < 12 && r != 10 : what == "pairs" || what == "gpus" ? r == 0 || r == 3 : r < 4 && r != 2)
				for (agent = 4; agent < (what == "gpus" ? 6 : 5); agent++)
					rank(r, agent, n)
	}'
}
for what in gap ends gpus pairs some node apart; do
	rows $what >events.csv
	echo $what
	kstats findings -q -f csv --columns rank,id,severity,title events.csv | grep ranks-absent
	kstats collectives -q -f csv --absent events.csv >want 2>&1
	cat want
	tracemerge -q --stats-only -o totals.db events.csv
	kstats collectives -q -f csv --absent totals.db 2>&1 | sed 's/contains totals only.*//' | cmp - want
	rm totals.db
done
rows ends >events.csv
kstats collectives -q --absent --rank 0,3 events.csv
mkdir a b c
rows pairs | grep 'kind\|,0,1,7' | cut -d , -f 1,2,4- | sed 's/,c,2,/,,,/' >a/events.csv
sed 's/,1,7,/,3,7,/' a/events.csv >c/events.csv
echo 'x:1:1 [0] NCCL INFO AllReduce: opCount 0 sendbuff 0x1 recvbuff 0x1 count 8 datatype 7 op 0 root 0 comm 0x2 [nranks=3] stream 0x3' >b/x.log
kstats ranks -q -f csv --columns rank a/events.csv b/x.log c/events.csv
kstats collectives -q --absent a/events.csv b/x.log c/events.csv
