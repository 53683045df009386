# Without its waits sync_each takes as long as sync_once, the same program without them: 140000 ns, the
# window of the second line.  By hand: six launches of 5 us, each 3 us after the other, the first kernel
# after 9 us, six kernels of 20 us with gaps of 1 us (assumed; 0: 135000, 9 like a launch: 180000), and 6 us
# until the last wait returns.  Nothing changes where nothing is changed: 100 %, without width.
d=$TESTDATA/rocprofv3/7.0
kstats whatif -q -f csv --no-sync "$d"/sync_each || exit
kstats whatif -q -f csv --host 1 "$d"/sync_once || exit
kstats whatif -q -f csv --no-sync-of hipDeviceSynchronize "$d"/sync_each
kstats whatif -f csv --scale elementwise=1,/gemm/=1 --launch 1 --copy 1 "$d"/sync_each || exit
kstats whatif "$d"/sync_each || exit
kstats whatif -q --sweep "$d"/sync_each || exit
kstats whatif -q --no-sync --steps "$d"/sync_each
