# A communicator of one rank sends nothing, so that there is no bus bandwidth of it, whatever its factor is; 1000 bytes in 500 ns
# are 2 GB/s all the same.  A broadcast of two ranks has both.
for r in 0 1; do
	cat >r$r.json <<END
{"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": $r, "world_size": 2}, "roctracer_version": 1, "traceEvents": [
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_Generic()", "pid": 0, "tid": 7, "ts": 1.0, "dur": 0.5, "args": {"device": 0,
 "stream": 7, "Collective name": "broadcast", "dtype": "Byte", "In msg nelems": 1000, "Out msg nelems": 1000, "Group size": 1,
 "Process Group Name": "2", "Process Group Ranks": "[$r]"}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_Generic()", "pid": 0, "tid": 7, "ts": 2.0, "dur": 0.5, "args": {"device": 0,
 "stream": 7, "Collective name": "allreduce", "dtype": "Byte", "In msg nelems": 1000, "Out msg nelems": 1000, "Group size": 1,
 "Process Group Name": "2", "Process Group Ranks": "[$r]"}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_Generic()", "pid": 0, "tid": 7, "ts": 3.0, "dur": 0.5, "args": {"device": 0,
 "stream": 7, "Collective name": "broadcast", "dtype": "Byte", "In msg nelems": 1000, "Out msg nelems": 1000, "Group size": 2,
 "Process Group Name": "1", "Process Group Ranks": "[0, 1]"}}]}
END
done
kstats collectives -q -f csv -s op,comm --columns op,comm,ranks,bytes,count,algbw_gb_per_s,busbw_gb_per_s r0.json r1.json
kstats collectives --list -q -f csv -s comm,index --columns comm,index,name,ranks,bytes,busbw_gb_per_s r0.json r1.json
tracemerge -q --stats-only -o stats.db r0.json r1.json
kstats collectives -q -f csv -s op,comm --columns op,comm,busbw_gb_per_s stats.db
