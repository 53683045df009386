# The command before a row is its own, and the next one that of the next row, however the program is called: 0.5 ms are
# of n = 1, 0.7 of n = 7, 0.9 ms (the time alone) of n = 9.  With NEW at n = 7 twice as slow, only that is slower.
log() { # US_OF_7
	cat <<X
./bin/MIOpenDriver conv -n 1 -c 2 -H 8 -W 8 -k 2 -y 1 -x 1 -F 1
stats: name, n, c, ho, wo, y, x, k, flopCnt, bytesRead, bytesWritten, GFLOPs, GB/s, timeMs
stats: fwd-conv1x1u1, 1, 2, 8, 8, 1, 1, 2, 512, 512, 512, 0, 0, 0.5
./bin/MIOpenDriver conv -n 7 -c 2 -H 8 -W 8 -k 2 -y 1 -x 1 -F 1
stats: name, n, c, ho, wo, y, x, k, flopCnt, bytesRead, bytesWritten, GFLOPs, GB/s, timeMs
stats: fwd-conv1x1u1, 7, 2, 8, 8, 1, 1, 2, 512, 512, 512, 0, 0, $1
./bin/MIOpenDriver conv -n 9 -c 2 -H 8 -W 8 -k 2 -y 1 -x 1 -F 1
GPU Kernel Time Forward Conv. Elapsed: 0.9 ms (average)
./bin/MIOpenDriver conv -n 11 -c 2 -H 8 -W 8 -k 2 -y 1 -x 1 -F 1
X
}
log 0.7 >a
log 1.4 >b
libperf bench -q -f csv --columns line,timeMs,command a
sed 's/^/+ /' a | libperf bench -q -f csv --columns line,timeMs,command
libperf compare -q -f csv --columns problem,status,base_us,new_us a b
