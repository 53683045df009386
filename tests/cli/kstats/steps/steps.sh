# Six steps, marked.  On the GPU each is a kernel of 600 us, then a copy of 100 us which nothing hides; in its
# last 100 us a thread waits for the GPU, which does nothing.  Step 4 waits 500 us longer; step 6 computes
# 80 us longer.
#
#   step  begins  time  compute  copies  idle  of it in a wait  copied
#   1       1000  1000      600     100   300   100             4096
#   2       2000  1000      600     100   300   100             4096
#   3       3000  1010      600     100   310   100             4096
#   4       4010  1500      600     100   800   600             8192, in two copies
#   5       5510  1000      600     100   300   100             unknown: one of two has no size
#   6       6510  1080      680     100   300   100             4096
#
# Median: 3rd of 1000 1000 1000 1010 1080 1500 = 1000.  Median of |time - 1000| = 0 0 0 10 80 500: 0.  Slow is
# what is more than 5 * 0 and more than 1000 / 20 = 50 above: step 4 by 500, of it sync 600 - 100 = 500; step 6
# by 80, all of it compute.  p95: ceil(0.95 * 6) = 6th = 1500.  Mean 6590 / 6 = 1098.3333; deviation:
# the root of (sum of squares - 6590^2 / 6) / 5 = (7436500 - 7238016.67) / 5 = 39696.67: 199.24 us.
trace=$TESTDATA/kineto/2.9/steps/worker_0.pt.trace.json
kstats steps -f csv "$trace" && kstats steps --total -f csv -q "$trace" && kstats steps -q "$trace" &&
	kstats steps --total -q --skip 2 "$trace"
