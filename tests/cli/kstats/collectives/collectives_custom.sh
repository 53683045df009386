# Two ranks.  Process groups 0 and 3 in another order on each, and custom all-reduces that say nothing, in us:
#   group 0       arrivals 0 30       end 50     rank 1 last, skew 30   (by order it would be with group 3 of rank 1)
#   group 3       arrivals 60 10      end 100    rank 0 last, skew 50
#   SGLang 1      arrivals 200 205    end 220    rank 1 last, skew 5    matched by order, as is what follows
#   aiter 2       arrivals 310 300    end 330    rank 0 last, skew 10
#   vLLM 3        arrivals 400 440    end 450    rank 1 last, skew 40
# Rank 0 waited 30 + 5 + 40, rank 1 50 + 10; they caused 60 and 75 of 135.  vLLM's, of which rank 1 has one more, is of nobody else.
for r in 0 1; do
	awk -v r=$r '
	function kernel(name, args, from, to) {
		printf "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"%s\", \"pid\": 0, \"tid\": 3, \"ts\": %d, \"dur\": %d, \"args\": {\"device\": 0, \"stream\": 3%s}},\n", name, from, to - from, args
	}
	function group(n) {
		return ", \"Collective name\": \"allreduce\", \"In msg nelems\": 4096, \"dtype\": \"BFloat16\", \"Group size\": 2, \"Process Group Name\": \"" n "\", \"Process Group Ranks\": [0, 1]"
	}
	BEGIN {
		printf "{\"schemaVersion\": 1, \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": %d, \"world_size\": 2},\n", r
		printf "\"baseTimeNanoseconds\": 1759300000000000000, \"roctracer_version\": 1, \"traceEvents\": [\n"
		kernel("ncclDevKernel_Generic_1(x)", group(0), r ? 30 : 0, 50)
		kernel("ncclDevKernel_Generic_1(x)", group(3), r ? 10 : 60, 100)
		kernel("void sglang::cross_device_reduce_1stage<__half, 2>(sglang::RankData*)", "", r ? 205 : 200, 220)
		kernel("void aiter::allreduce_fusion_kernel_1stage<__half, 2>(int)", "", r ? 300 : 310, 330)
		kernel("void vllm::cross_device_reduce_2stage<__half, 2>(vllm::RankData*)", "", r ? 440 : 400, 450)
		if (r)
			kernel("void vllm::cross_device_reduce_2stage<__half, 2>(vllm::RankData*)", "", 500, 520)
		printf "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"gemm\", \"pid\": 0, \"tid\": 3, \"ts\": 600, \"dur\": 20, \"args\": {\"device\": 0, \"stream\": 4}}\n]}\n"
	}' > rank$r.json
done
kstats collectives -f csv rank0.json rank1.json
kstats collectives -q --ranks -f csv rank0.json rank1.json
kstats collectives -q --list -f csv rank0.json rank1.json
