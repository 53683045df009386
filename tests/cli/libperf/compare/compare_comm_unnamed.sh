# Older tests of collectives do not print what they are.  All-reduce, reduce-scatter, reduce, broadcast and all-gather of
# 1 MiB on 8 ranks are different problems, by their reduction, root and count: 262144 floats are all, 32768 the part of a
# rank.  Send-receive has the row of all-reduce but for what a byte is to the buses, 1 instead of 7/4.
# In NEW only the reduce-scatter takes twice as long.  All-gather and all-to-all cannot be told apart, so they would
# count as one, and a note says so; the commands before them name them.
rows() { # REDUCE_SCATTER_US [COMMAND]
	test() { # COUNT REDOP ROOT US BUS_FACTOR
		echo "# nThread 1 nGpus 8 minBytes 1048576 maxBytes 1048576"
		for rank in 0 1 2 3 4 5 6 7; do
			echo "#  Rank  $rank Group  0 Pid  1 on node1 device  $rank [0x05] AMD Instinct MI300X"
		done
		echo "#       size         count      type   redop    root     time   algbw   busbw #wrong"
		awk -v c="$1" -v op="$2" -v root="$3" -v us="$4" -v f="$5" 'BEGIN {
			printf " 1048576 %d float %s %d %.2f %.2f %.2f 0\n", c, op, root, us, 1048.576 / us, 1048.576 / us * f }'
	}
	test 262144 sum -1 40 1.75
	test 32768 sum -1 "$1" 0.875
	test 262144 sum 0 30 1
	test 262144 none 0 20 1
	test 32768 none -1 10 0.875
	test 262144 sum -1 5 1
}
rows 25 >base
rows 50 >new
libperf compare -f csv --columns op,problem,status,base_us,new_us base new
{
	echo '+ mpirun -np 8 /opt/rccl-tests/build/alltoall_perf -b 1M -e 1M -g 1'
	rows 25 | awk 'NR <= 10 || / float none -1 /'
	echo './all_gather_perf -g 8'
	rows 25 | awk 'NR <= 10 || / float none -1 /'
} >named
libperf bench -q -f csv --columns operation,bytes,count,time_us named
