# What short slices that --budget merges say of the time the GPU worked: 40 kernels of 1 us with 600 ns idle after each, and a
# long one 55 us later.  40 kernels become one slice, and so do 40 times busy and the 39 idle between them, of which 40 us
# are busy in both; before, the states said 63.4 us, as if idle were work.
awk 'BEGIN {
	print "kind,rank,agent,queue,name,start_ns,end_ns"
	for (i = 0; i < 40; i++)
		printf "kernel,0,4,1,brief,%d,%d\n", 1000000 + 1600 * i, 1001000 + 1600 * i
	print "kernel,0,4,1,long_one,1120000,1220000"
}' >run.csv
tracecat --no-findings --to chrome --no-flows --args none --budget 14000 -o small.json run.csv
grep -o '"[0-9]* short ones".*busy_ns":[0-9]*' small.json
