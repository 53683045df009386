# Words of a client inside a sentence are no line of a client: what a log puts in front ends with a sign, a time or a level.
# The size of 2 MiB stays in its table, which is right; the index is 123 and the version 100000, not 77 and 90000.
cat >comm.log <<'EOF'
# nThread 1 nGpus 2 minBytes 8
#  Rank  0 Group  0 Pid 100 on h device  0 [0x03] AMD Instinct MI300X
#  Rank  1 Group  0 Pid 100 on h device  1 [0x04] AMD Instinct MI300X
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
     1048576        262144     float     sum      -1    10.00  104.86  104.86      0    10.00  104.86  104.86      0
INFO sweep continues as # nThread 1 nGpus 2 asks
INFO rerun of the job that said # Out of bounds values : 3 FAILED
     2097152        524288     float     sum      -1    20.00  104.86  104.86      0    20.00  104.86  104.86      0
# Out of bounds values : 0 OK
EOF
cat >blas.log <<'EOF'
hipBLASLt version: 100000
[0]:transA,transB,M,N,K,hipblaslt-Gflops,hipblaslt-GB/s,us
    N,N,128,128,128,300.1,10.0,14.0
    --Solution index: 123
INFO shape 1 of 2 done; last week's best was --Solution index: 77
INFO table was made with hipBLASLt version: 90000
[0]:transA,transB,M,N,K,hipblaslt-Gflops,hipblaslt-GB/s,us
    N,N,256,128,128,300.1,10.0,14.0
    --Solution index: 124
EOF
libperf bench -f csv --columns bytes,time_us comm.log
libperf bench -f csv --columns us,solution_index,version blas.log
# The same behind what a log does put in front.
sed 's/^\(#\|  *[0-9]\)/2026-11-29 10:00:00,123 [INFO] rank0: \1/' comm.log >front.log
libperf bench -f csv --columns bytes,time_us front.log
