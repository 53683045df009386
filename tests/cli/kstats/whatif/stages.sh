# Two stages of a pipeline, two batches, one stream each; all is launched before the first millisecond is over, when the work begins.  Forward
# takes 1 ms on stage 0 and 2 on stage 1, backward 2 and 4, all in kernels of one name; what passes between the stages takes 1 ms from when
# both are there.
#
#   stage 0   forward 0 to 1, send to 2, forward to 3, receive to 9, send to 10, backward to 12, receive to 17, backward to 19
#   stage 1   receive to 2, forward to 4, backward to 8, send to 9, receive to 10, forward to 12, backward to 16, send to 17
#
# The second kernel of stage 0 is a forward one, and of stage 1 a backward one: what is the same work is not the n-th of both.  Of 6 and 12 ms
# each is to get 9: forward 1.5 ms and backward 3 on both.  Then
#
#   stage 0   forward 0 to 1.5, send to 2.5, forward to 4, receive to 8, send to 9, backward to 12, receive to 14.5, backward to 17.5
#   stage 1   receive to 2.5, forward to 4, backward to 7, send to 8, receive to 9, forward to 10.5, backward to 13.5, send to 14.5
#
# With the 0.9 ms from the first call on these are 18.4 ms of 19.9.
#
# If stage 1 is no slower than stage 0, forward takes 1 ms and backward 2 on both, by the lengths of its kernels from the
# shortest on, 2, 2, 4 and 4 ms for 1, 1, 2 and 2; or, if its last one is two of 2 ms, by the 12 ms of all for 6:
#
#   stage 0   forward 0 to 1, send to 2, forward to 3, receive to 6, send to 7, backward to 9, receive to 11, backward to 13
#   stage 1   receive to 2, forward to 3, backward to 5, send to 6, receive to 7, forward to 8, backward to 10, send to 11
#
# These are 13.9 ms.
events() {
	awk -v twice="$1" 'function row(r, type, from, to) {
		n++
		printf "kernel,kernel,%d,%d,,4,1,%s,%d,%s,%s,%s,%d,%d\n", r, r + 1, type == "" ? "Cijk_a" : "ncclDevKernel_SendRecv", n, type,
			type == "" ? "" : "pp", type == "" ? "" : 2, from * 1e6 + 1000000, to * 1e6 + 1000000
		printf "api,hip,%d,%d,1,,,hipLaunchKernel,%d,,,,%d,%d\n", r, r + 1, n, 100000 + m[r] * 1000, 100500 + m[r] * 1000
		m[r]++
	}
	BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,corr,type,comm,comm_ranks,start_ns,end_ns"
		row(0, "", 0, 1)
		row(0, "ncclSend", 1, 2)
		row(0, "", 2, 3)
		row(0, "ncclRecv", 3, 9)
		row(0, "ncclSend", 9, 10)
		row(0, "", 10, 12)
		row(0, "ncclRecv", 12, 17)
		row(0, "", 17, 19)
		row(1, "ncclRecv", 0, 2)
		row(1, "", 2, 4)
		row(1, "", 4, 8)
		row(1, "ncclSend", 8, 9)
		row(1, "ncclRecv", 9, 10)
		row(1, "", 10, 12)
		row(1, "", 12, twice ? 14 : 16)
		if (twice)
			row(1, "", 14, 16)
		row(1, "ncclSend", 16, 17)
}'
}
events >events.csv
kstats whatif -q -f csv --only 'ranks balanced' --columns window_ns,predicted_ns,low_ns,high_ns events.csv
kstats whatif -q -f csv --balance --ranks --columns rank,predicted_ns events.csv
for twice in '' 1; do
	events $twice >events.csv
	kstats whatif -q -f csv --only 'slow stages usual' --columns scenario,window_ns,predicted_ns,low_ns,high_ns events.csv
done
