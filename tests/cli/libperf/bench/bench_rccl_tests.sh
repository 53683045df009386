# Tables of rccl-tests: two rows a line, each with the operation and its ranks; other output between the lines, several
# tests, a log that a launcher marked, old columns. 1 MiB in 100 us are 10.48576 GB/s, times 2 x 3 / 4 on the buses.
cat >new.log <<'END'
rocBLAS noise
# Collective test starting: all_reduce_perf
# nThread 1 nGpus 2 minBytes 1048576 maxBytes 2097152 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0
#
rccl-tests: Version develop:1234567
# Using devices
#  Rank  0 Group  0 Pid   10 on a device  0 [0000:05:00] AMD Instinct MI300X
#  Rank  1 Group  0 Pid   10 on a device  1 [0000:15:00] AMD Instinct MI300X
#  Rank  2 Group  0 Pid   11 on b device  0 [0000:05:00] AMD Instinct MI300X
#  Rank  3 Group  0 Pid   11 on b device  1 [0000:15:00] AMD Instinct MI300X
#
#                                                              out-of-place                       in-place          
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)       
a:10:10 [0] NCCL INFO Launch mode Parallel
     1048576        262144     float     sum      -1    100.0   10.49   15.73      0    50.00   20.97   31.46    N/A
a:10:10 [0] NCCL WARN something else
     2097152        524288     float     sum      -1    100.0   20.97   31.46      0    50.00   41.94   62.91      0
# Errors with asterisks indicate errors that have exceeded the maximum threshold.
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 35.3894
#
# Collective test concluded: all_reduce_perf
# Collective test starting: all_gather_perf
# nThread 1 nGpus 1 minBytes 1048576 maxBytes 1048576 step: 2(factor) warmup iters: 5 iters: 20 validation: 1
#  Rank  0 Group  0 Pid   10 on a device  0 [0000:05:00] AMD Instinct MI300X
#  Rank  1 Group  0 Pid   10 on a device  1 [0000:15:00] AMD Instinct MI300X
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
     1048576        131072     float    none      -1    100.0   10.49    5.24      0    50.00   20.97   10.49      0
END
libperf bench new.log
sed 's/^/[1,0]<stdout>: /' new.log >marked.log
libperf bench --columns line,operation,bytes,ranks,place,busbw_GB/s marked.log >marked
libperf bench --columns line,operation,bytes,ranks,place,busbw_GB/s new.log | cmp - marked && echo the same
cat >old.log <<'END'
# nThread 1 nGpus 8 minBytes 1 maxBytes 8589934592 step: 2(factor) warmup iters: 5 iters: 20 validation: 1
#   Rank  0 Pid 1 on localhost device  0 [0x00] A100-SXM4-40GB
#                                                     out-of-place                       in-place
#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error
     1048576        262144   float            100.0   10.49    0.00  2e-07    50.00   20.97    0.00    N/A
END
libperf bench old.log
# Wrong results, and rates that are not what size, time and ranks say: the page shows them, and its status tells.
sed -e '/524288/s/ 0    50.00/ 3    50.00/' -e 's/20.97   31.46    N/20.90   31.46    N/' -e 's/values : 0 OK/values : 3 FAILED/' new.log >wrong.log
libperf bench --columns line,place,busbw_GB/s,wrong wrong.log
echo "status $?"
# A line that is torn is counted, and one without its end is not taken.
{ head -n 16 new.log; echo '     2097152        524288     float     sum      -1    100.0 a:10:10 [0] NCCL INFO x'
printf '     4194304       1048576     float     sum      -1    100.0   41.94   62.91      0    50.0'; } >torn.log
libperf bench --columns line,bytes torn.log
echo "status $?"
# Compared like any other: less time is better.
sed -e 's/  100.0   10.49   15.73/  200.0    5.24    7.86/' new.log >slow.log
libperf compare --columns problem,status,base_us,new_us new.log slow.log
libperf best -q -f csv --columns problem,us new.log slow.log
# The table that bench writes has the same problems: operation, type, size, and what is not usual.
libperf bench -q new.log >new.csv
libperf compare -q -f csv --columns op,types,problem,status,base_us,new_us new.csv slow.log
