# The flame graph beside that of a baseline.  Of train a takes 10 us before and 20 us now, +10 of 40 us: marked; b the same;
# c 20 us before and 9.9 us now, less; d is new.  What only the baseline has is not drawn.  Text carries a sign.
trace() { # FILE, then NAME MICROSECONDS of operators
	file=$1; shift
	{
		echo '{"schemaVersion": 1, "traceEvents": ['
		at=1000
		echo '{"ph": "X", "cat": "user_annotation", "name": "train", "pid": 1, "tid": 1, "ts": 900, "dur": 9000},'
		while [ $# -gt 0 ]; do
			echo "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"$1\", \"pid\": 1, \"tid\": 1, \"ts\": $at, \"dur\": 50},"
			echo "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"hipLaunchKernel\", \"pid\": 1, \"tid\": 1, \"ts\": $((at + 5)), \"dur\": 5, \"args\": {\"correlation\": $at}},"
			echo "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k_$1\", \"pid\": 0, \"tid\": 0, \"ts\": $((at + 20)), \"dur\": $2, \"args\": {\"device\": 0, \"stream\": 0, \"correlation\": $at}},"
			at=$((at + 100))
			shift 2
		done
		echo '{"ph": "M", "name": "process_name", "pid": 1, "ts": 0, "args": {"name": "python"}}]}'
	} >"$file"
}
trace before.json a 10 b 10 c 20 e 3
trace after.json a 20 b 10 c 9.9 d 8
tracereport -q --baseline before.json after.json >page.html || exit
sed -n '/class="flame"/,/<.svg>/s/.*<rect\([^>]*\).*<title>\([^<]*\)<.title>\(.*\)<.g>/\1 | \2 | \3/p' page.html
# Without one there is nothing to mark.
tracereport -q after.json | grep -c 'class="\(more\|less\)[12]"'
# Two ranks, ten collectives: rank 1 is last by 2 us each time, of 30 us together when it waited for was longest.
for r in 0 1; do
	{
		echo '"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
		for i in 1 2 3 4 5 6 7 8 9 10; do
			start=$((100000 * i + r * (i == 7 ? 30000 : 2000)))
			echo "\"KERNEL_DISPATCH\",4,1,\"ncclDevKernel_Generic(ncclDevKernelArgs)\",$i,$start,$((100000 * i + 50000))"
		done
	} >rank$r.csv
done
tracemerge -q --align none -o run.db rank0.csv rank1.csv
tracereport -q run.db >page.html || exit
grep -o '<span>rank [01]</span><svg class="stack map".*' page.html
# All-reduces of two ranks of 8 KiB in 10 us and of 80 KiB in 40 us: 0.8192 and 2.048 GB/s, the smallest on the left,
# as high as 40 % of the other.
for r in 0 1; do
	{
		echo "{\"schemaVersion\": 1, \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": $r, \"world_size\": 2},"
		echo '"baseTimeNanoseconds\": 1759300000000000000, "roctracer_version": 1, "traceEvents": [' | sed 's/\\//'
		for call in '100 40 40960' '200 10 4096'; do
			# shellcheck disable=SC2086
			set -- $call
			echo "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"ncclDevKernel_Generic_1(x)\", \"pid\": 0, \"tid\": 3, \"ts\": $1, \"dur\": $2, \"args\": {\"device\": 0, \"stream\": 3, \"Collective name\": \"allreduce\", \"In msg nelems\": $3, \"dtype\": \"BFloat16\", \"Group size\": 2, \"Process Group Name\": \"0\", \"Process Group Ranks\": [0, 1]}},"
		done
		echo '{"ph": "M", "name": "process_name", "pid": 1, "ts": 0, "args": {"name": "python"}}]}'
	} >rank$r.json
done
tracereport -q rank0.json rank1.json >page.html || exit
sed -n '/Bus bandwidth/s/<rect/\n<rect/gp' page.html | grep -o '^<rect.*<.rect>'
