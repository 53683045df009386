# A log of hipblaslt-bench and one of rocblas-bench with something in front of each line: the same rows as without it, with
# the same first column, device, version and name of the kernel.  A time is one word; Python's logging has colons alone.
for log in "$TESTDATA/hipblaslt/7.0/bench/tuned.txt" "$TESTDATA"/rocblas/6.4/bench/*; do
	libperf bench -q -f csv "$log" | cut -d, -f2- >want
	wc -l <want
	while read -r front; do
		sed "s|^|${front% .}|" "$log" >with_front
		libperf bench -q -f csv with_front | cut -d, -f2- | cmp want - || echo "$front $log"
	done <<-'X'
		2026/11/29 10:00:00  .
		node1 10:00:00  .
		[10:00:00.123] [info]  .
		INFO:root: .
		INFO:bench:  .
		I1129 10:00:00.123456  4242 bench.cc:33]  .
	X
done
