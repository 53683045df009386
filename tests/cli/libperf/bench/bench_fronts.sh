# Whatever a log puts in front of the lines of rccl-tests and MIOpenDriver, 2 + 2 and 1 measurement are found, the same
# ones: the times of the lines, also where they differ, and levels, hosts and places in a program.
cat >lines <<'X'
# Collective test starting: all_reduce_perf
# nThread 1 nGpus 2 minBytes 1024 maxBytes 2048 step: 2(factor) warmup iters: 5 iters: 20
#  Rank  0 Group  0 Pid  12 on      node1 device  0 [0x05] AMD Instinct MI300X
#  Rank  1 Group  0 Pid  12 on      node1 device  1 [0x15] AMD Instinct MI300X
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
        1024           256     float     sum      -1    10.24    0.10    0.10      0    20.48    0.05    0.05      0
        2048           512     float     sum      -1    20.48    0.10    0.10      0    20.48    0.10    0.10      0
# Out of bounds values : 0 OK
MIOpenDriver conv -n 1 -c 2 -H 8 -W 8 -k 2 -y 1 -x 1 -F 1
MIOpen Forward Conv. Algorithm: 3, Solution: 139/ConvWinoFuryRxS<2-3>
GPU Kernel Time Forward Conv. Elapsed: 0.5 ms (average)
stats: name, n, c, ho, wo, y, x, k, flopCnt, bytesRead, bytesWritten, GFLOPs, GB/s, timeMs
stats: fwd-conv1x1u1, 1, 2, 8, 8, 1, 1, 2, 512, 512, 512, 0, 0, 0.5
X
libperf bench -q -f csv --columns line,operation,bytes,place,time_us,ranks,timeMs,solution,command lines | tee want
while read -r front; do
	awk -v front="${front% .}" '{ f = front; sub(/00:00/, sprintf("00:%02d", NR), f); print f " " $0 }' lines >log
	libperf bench -q -f csv --columns line,operation,bytes,place,time_us,ranks,timeMs,solution,command log | cmp want || echo "$front"
done <<'X'
10:00:00
[10:00:00.123]
[INFO]
10:00:00 INFO:
2026-11-29 10:00:00,123 - root - INFO -
INFO 11-29 10:00:00 [core.py:58]
Nov 29 10:00:00 node1 app[123]:
I1129 10:00:00.123456 12345 bench.cc:10]
[1764410400.123]
2026-11-29 10:00:00.123 | INFO     | __main__:run:10 -
X
sed 's/^/INFO:root:/' lines >log
libperf bench -q -f csv --columns line,operation,bytes,place,time_us,ranks,timeMs,solution,command log | cmp want
# A time alone and the rank after it, or before.
sed 's/^/10:00:00 3: /' lines | libperf bench -q -f csv --columns rank,bytes,timeMs
sed 's/^/3: [10:00:00] WARN: /' lines | libperf bench -q -f csv --columns rank,bytes,timeMs
# The statistics of another program are no measurement.
printf '%s\n' '[INFO] memory stats: reserved, 1, 2, 3, 4, 5, 6' >other
libperf bench other
