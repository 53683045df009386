# Traces of torch.profiler have the calls that let a stream wait for an event (hipStreamWaitEvent), but not those that record it.  Four rounds of
# 1 ms, in us, launched at the start of each; b1 waits for a1, b2 for a2, and a1 for b2 of the round before:
#
#   stream 1   a1 100 to 200   a2 200 to 400
#   stream 2                   b1 200 to 500   b2 500 to 600
#
# b2 was held by b1 alone, but without b1 by a2: it would run from 400 to 500.  The last round ends at 3600, and would at 3500, 3496 us after
# the first call: the event that b2 waits for is taken to be of what was launched before the wait.  The same with the calls that record.
events() {
	awk -v record="$1" 'function call(t, name, corr) {
		printf "api,hip,1,1,,,%d,%s,%d,%d\n", corr, name, t * 1000, t * 1000 + 1000
	}
	function op(stream, name, corr, from, to) {
		printf "kernel,kernel,1,,4,%d,%d,%s,%d,%d\n", stream, corr, name, from * 1000, to * 1000
	}
	function wait(t, corr) {
		if (record)
			call(t, "hipEventRecord", corr + 8)
		call(t + 2, "hipStreamWaitEvent", corr + 9)
	}
	BEGIN {
		print "kind,domain,pid,tid,agent,stream,corr,name,start_ns,end_ns"
		for (i = 0; i < 4; i++) {
			t = i * 1000
			c = i * 100
			if (i)
				wait(t, c)
			call(t + 4, "hipLaunchKernel", c + 10)
			wait(t + 6, c + 20)
			call(t + 10, "hipLaunchKernel", c + 30)
			call(t + 12, "hipLaunchKernel", c + 40)
			wait(t + 14, c + 50)
			call(t + 18, "hipLaunchKernel", c + 60)
			op(1, "Cijk_a1", c + 10, t + 100, t + 200)
			op(2, "Cijk_b1", c + 30, t + 200, t + 500)
			op(1, "Cijk_a2", c + 40, t + 200, t + 400)
			op(2, "Cijk_b2", c + 60, t + 500, t + 600)
		}
	}'
}
for record in 1 ''; do
	events $record >events.csv
	kstats whatif -q --scale /b1/=0 -f csv --columns scenario,window_ns,predicted_ns,low_ns,high_ns events.csv
done
