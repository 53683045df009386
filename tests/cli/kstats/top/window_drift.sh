# Times of -w are on the common clock, also where a clock drifts: that of rank 1 gains 2^30 / 2^44 = 1 / 16384 (61 ppm), so that
# its kernels at 100, 200 and 300 * 16384 are at 100 * 16385 = 1638500, 3277000 and 4915500, which tracecat and the views show.
# From 3277000 on there are two, from 3277001 on there is one; rank 0 has its three at the times recorded.
for r in 0 1
do
	mkdir rank$r
	{
		echo '"Kind","Agent_Id","Queue_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
		for i in 1 2 3
		do
			echo "\"KERNEL_DISPATCH\",4,1,1,\"gemm\",$i,$((1638400 * i)),$((1638400 * i + 100 + r))"
		done
	} > rank$r/x_kernel_trace.csv
done
tracemerge -q --align none -o run.db rank0 rank1
sqlite3 run.db 'UPDATE clock SET method = "collectives", rate = 1 << 30 WHERE input = 2'
tracecat --columns rank,start_ns -w 3277000.. run.db
for w in 3277000.. 3277001.. ..3277000 ..3277001 3276800..3277000
do
	echo "$w"
	kstats top -f csv --per rank --columns rank,calls -w $w run.db
done
