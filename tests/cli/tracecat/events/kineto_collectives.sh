# Collectives of torch.distributed.  Bytes are elements as RCCL counts them: sent (256 floats of 4 bytes), received
# (64 of 4), sent to each of 4 ranks (256 halves of 2, a quarter of which is 128); a type nobody knows has none, nor has
# a number of elements that is no number, nor an operation of a later release.
row() {
	printf '{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_Generic(x)", "pid": 0, "tid": 1, "ts": %s, "dur": 1.0, "args": {' "$1"
	printf '"device": 0, "stream": 1, "correlation": %s, "Collective name": "%s", "In msg nelems": %s, "Out msg nelems": %s, ' "$1" "$2" "$3" "$4"
	printf '"Group size": %s, "dtype": "%s", "Process Group Name": "0", "Process Group Description": "a:b", ' "$5" "$6"
	printf '"Process Group Ranks": "[0, 1, 2, 3]"}}'
}
{
	echo '{"schemaVersion": 1, "distributedInfo": {"rank": 0, "world_size": 4}, "traceEvents": ['
	row 1 allreduce 256 256 4 Float; echo ,
	row 2 reduce_scatter 256 64 4 Float; echo ,
	row 3 all_to_all 256 256 4 Half; echo ,
	row 4 all_to_all 256 256 0 Half; echo ,
	row 5 allreduce 256 256 4 Decimal; echo ,
	row 6 allreduce '"many"' 256 4 Float; echo ,
	row 7 allbutone 256 256 4 Float; echo
	echo ']}'
} >worker_1.pt.trace.json
tracecat -q --columns corr,bytes,comm worker_1.pt.trace.json; echo $?
