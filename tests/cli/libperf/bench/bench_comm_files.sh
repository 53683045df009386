# Files that rccl-tests -x writes, CSV and JSON, with and without MPI.  1048576 bytes in 48.81 us are 21.482811 GB/s, times 2 x 7 / 8 ranks
# 37.594919.  8 ranks are 2 processes of 4 GPUs.  A row that lacks a cell is skipped; wrong results are an error; a rate that does not fit
# is noted; the last line, which has no end, is not taken.
cat >mpi.csv <<'EOF2'
numCycle,collective,nodes,ranks,ranksPerNode,gpusPerRank,size,type,redop,inplace,time,algbw,busbw,#wrong
0,"AllReduce",1,2,2,4,1048576,"float","sum",0,48.810000,21.482811,37.594919,"0"
0,"AllReduce",1,2,2,4,1048576,"float","sum",1,47.810000,21.932148,38.381259,"N/A"
0,"AllReduce",1,2,2,4,2097152,"float","sum",0,60.0
EOF2
cat >one.csv <<'EOF2'
numCycle,collective,gpus,size,type,redop,inplace,time,algbw,busbw,#wrong
0,"ReduceScatter",8,1048576,"half","max",0,48.810000,21.482811,18.797460,"0"
1,"AlltoAll",8,1048576,"half","none",0,48.810000,21.482811,99.000000,"0"
1,"AlltoAll",8,1048576,"half","none",0,48.81
EOF2
truncate -s -1 one.csv
cat >mpi.json <<'EOF2'
[
{"numCycle":0, "name":"AllReduce", "nodes":1, "ranks":8, "ranksPerNode":8, "gpusPerRank":1, "size":1048576, "type":"float", "redop":"sum", "inPlace":0, "time":44.810000, "algBw":23.400491, "busBw":40.950860, "wrong":"0"},
{"numCycle":0, "name":"AllReduce", "nodes":1, "ranks":8, "ranksPerNode":8, "gpusPerRank":1, "size":1048576, "type":"float", "redop":"sum", "inPlace":1, "time":47.810000, "algBw":21.932148, "busBw":38.381259, "wrong":"2"}
]
EOF2
for f in mpi.csv one.csv mpi.json; do
	libperf bench "$f"
	echo $?
done
# The same problem as in the table of the test.
cat >table.txt <<'EOF2'
# nThread 1 nGpus 8 minBytes 1048576 maxBytes 1048576
# Collective test starting: all_reduce_perf
#  Rank  0 Group  0 Pid 1 on h device  0 [0000:05:00] AMD
#  Rank  1 Group  0 Pid 1 on h device  1 [0000:06:00] AMD
#  Rank  2 Group  0 Pid 1 on h device  2 [0000:07:00] AMD
#  Rank  3 Group  0 Pid 1 on h device  3 [0000:08:00] AMD
#  Rank  4 Group  0 Pid 1 on h device  4 [0000:09:00] AMD
#  Rank  5 Group  0 Pid 1 on h device  5 [0000:0a:00] AMD
#  Rank  6 Group  0 Pid 1 on h device  6 [0000:0b:00] AMD
#  Rank  7 Group  0 Pid 1 on h device  7 [0000:0c:00] AMD
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
     1048576        262144     float     sum      -1    58.81   17.83   31.20      0    47.81   21.93   38.38      0
EOF2
libperf compare -q -f csv table.txt mpi.csv
