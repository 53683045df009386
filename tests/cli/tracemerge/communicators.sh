# Four ranks in pairs of two kinds, as torch.profiler has them: 0 with 1 and 2 with 3 (tp), 0 with 2 and 1 with 3 (dp).
# The clock of rank 3 is 7000 ns ahead, those of the others are one.  The second tp group does everything 826 us later than
# the first, so matched by their order, rank 2 would be moved by that.  By their groups it is not.
for r in 0 1 2 3; do
	awk -v r=$r 'BEGIN {
		printf "{\"schemaVersion\": 1, \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": %d, \"world_size\": 4},\n", r
		printf "\"baseTimeNanoseconds\": 1759300000000000000, \"roctracer_version\": 1, \"traceEvents\": [\n"
		for (i = 1; i <= 20; i++) {
			dp = i % 5 == 0
			end = 5000 * i + i * i % 7 * 100 + (r > 1 && !dp ? 826 : 0) + (r == 3 ? 7 : 0)
			start = end - 40 - (r * 13 + i * 7) % 30
			group = !dp ? (r < 2 ? "[0, 1]" : "[2, 3]") : (r % 2 ? "[1, 3]" : "[0, 2]")
			printf "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)\", \"pid\": 0, \"tid\": 3, \"ts\": %d, \"dur\": %d, \"args\": {\"device\": 0, \"stream\": 3, \"Collective name\": \"%s\", \"In msg nelems\": 4096, \"Out msg nelems\": 8192, \"dtype\": \"BFloat16\", \"Group size\": 2, \"Process Group Name\": \"%d\", \"Process Group Description\": \"%s\", \"Process Group Ranks\": \"%s\"}}%s\n", start, end - start, dp ? "_allgather_base" : "allreduce", dp ? 2 : 1, dp ? "mesh_dp" : "mesh_tp", group, i < 20 ? "," : ""
		}
		print "]}"
	}' > rank$r.json
done
tracemerge -o run.db rank0.json rank1.json rank2.json rank3.json 2> err
sed 's/, [0-9]* bytes.*//' err
sqlite3 run.db 'SELECT input, method, offset_ns, rate FROM clock' 'SELECT DISTINCT r.rank, o.text, c.text, comm_ranks, bytes, count(*) FROM kernel k JOIN rank r ON r.id = k.rank_id JOIN name o ON o.id = k.collective JOIN name c ON c.id = k.comm GROUP BY 1, 2, 3'
# The same in any order, and in two steps.
tracemerge -q -o a.db rank3.json rank1.json
tracemerge -q -o b.db rank2.json a.db rank0.json
sqlite3 b.db 'SELECT i.rank, offset_ns, residual_ns FROM clock c JOIN input i ON i.id = c.input ORDER BY 1' > b
sqlite3 run.db 'SELECT i.rank, offset_ns, residual_ns FROM clock c JOIN input i ON i.id = c.input ORDER BY 1' | cmp - b
