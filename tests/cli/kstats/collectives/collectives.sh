# Three ranks, process groups of torch.profiler: an all-reduce of 4096 * 2 bytes in group 0 of all, an all-gather
# of 1024 * 4 * 2 in group 1 of ranks 0 and 1, in us, each from arrival to a common end:
#   all-reduce 1   arrivals 0 10 30     end 50    rank 2 last, skew 30
#   all-gather 1   arrivals 60 80       end 100   rank 1 last, skew 20
#   all-reduce 2   arrivals 110 110 150 end 160   rank 2 last, skew 40
#   all-reduce 3   arrivals 200 200 200 end 220   a tie, skew 0
#   all-reduce 4   arrivals 300 240 300 end 320   a tie between ranks 0 and 2, skew 60
# Rank 2 caused 30 + 40 and half of the 60 of the last tie, rank 1 20, rank 0 the other 30: of 150 66.6667, 13.3333 and 20 %.
# Rank 0 waited 30 + 20 + 40 + 0 + 0, rank 1 20 + 0 + 40 + 0 + 60.  Half of the ranks (2 of 3, 1 of 2) had come at 10, 60, 110,
# 200 and 300: rank 2 came 20 + 40 later, rank 1 20; the last 20 + 40 later to what rank 2 was in, 20 + 20 + 40 to what the others were.
# A compute kernel of rank 0 from 5 to 25 hides 20 of its first.  Durations 50 40 20, 40 20, 50 50 10, 20 20 20, 20 80 20: all-reduce
# 400 in all, 380 exposed, shortest 20 + 10 + 20 + 20 = 70 for 32768 bytes (0.4681 GB/s, times 4/3), all-gather 60 and 20.
for r in 0 1 2; do
	awk -v r=$r '
	function kernel(op, group, ranks, n, from, to) {
		if (r < n)
			printf "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"ncclDevKernel_Generic_1(x)\", \"pid\": 0, \"tid\": 3, \"ts\": %d, \"dur\": %d, \"args\": {\"device\": 0, \"stream\": 3, \"Collective name\": \"%s\", \"In msg nelems\": %d, \"dtype\": \"%s\", \"Group size\": %d, \"Process Group Name\": \"%d\", \"Process Group Ranks\": %s}},\n", from, to - from, op, n < 3 ? 1024 : 4096, n < 3 ? "Float" : "BFloat16", n, group, ranks
	}
	BEGIN {
		printf "{\"schemaVersion\": 1, \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": %d, \"world_size\": 3},\n", r
		printf "\"baseTimeNanoseconds\": 1759300000000000000, \"roctracer_version\": 1, \"traceEvents\": [\n"
		split("0 10 30", a, " "); kernel("allreduce", 0, "[0, 1, 2]", 3, a[r + 1], 50)
		split("60 80 0", a, " "); kernel("_allgather_base", 1, "[0, 1]", 2, a[r + 1], 100)
		split("110 110 150", a, " "); kernel("allreduce", 0, "[0, 1, 2]", 3, a[r + 1], 160)
		kernel("allreduce", 0, "[0, 1, 2]", 3, 200, 220)
		split("300 240 300", a, " "); kernel("allreduce", 0, "[0, 1, 2]", 3, a[r + 1], 320)
		printf "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"gemm\", \"pid\": 0, \"tid\": 3, \"ts\": %d, \"dur\": 20, \"args\": {\"device\": 0, \"stream\": 4}}\n]}\n", r ? 400 : 5
	}' > rank$r.json
done
kstats collectives -f csv rank0.json rank1.json rank2.json
kstats collectives -q --ranks -f csv rank0.json rank1.json rank2.json
kstats collectives -q --list -f csv rank0.json rank1.json rank2.json
kstats ranks -q --collectives -f csv rank0.json rank1.json rank2.json > list
kstats collectives -q --list -f csv rank2.json rank0.json rank1.json | cmp - list
# The same from a database.
tracemerge -q -o run.db rank1.json rank2.json rank0.json
kstats collectives -q -f csv rank0.json rank1.json rank2.json > want
kstats collectives -q -j 1 -f csv run.db | cmp - want
kstats collectives -q --list -f csv run.db | cmp - list
# The sums of two other questions.
kstats top -q -f csv --columns name,total_ns -n 1 run.db
kstats timeline -q -f csv --columns rank,exposed_comm_ns run.db
# None.
echo '"KERNEL_DISPATCH",4,1,1,"gemm",1,10,20' > row
{
	echo '"Kind","Agent_Id","Queue_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
	cat row
} > none.csv
kstats collectives none.csv
