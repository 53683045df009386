# Gaps added up by what is around them.  sync_each has five gaps between vecAdd and gemm_tile, one after the other, of 90 us
# together: of each the host spends 9 us in hipStreamSynchronize, 5 in hipLaunchKernel and 4 in neither.  Three are before vecAdd.
cd "$TESTDATA/rocprofv3/7.0" || exit
for by in call prev next pair; do
	kstats gaps -q -f csv --name short --by $by sync_each || exit
done
kstats gaps -q -f csv --by step sync_each || exit
kstats gaps --by step run || exit
kstats gaps -q --name short --by pair sync_each || exit
kstats gaps -q -f csv --by next --per queue --columns queue,next,gaps sync_each || exit
kstats gaps -q -f csv --list --name short --columns gap_ns,prev,next,host_call sync_each || exit
kstats gaps --by name sync_each
kstats gaps --by step ranks
kstats gaps --by call --list sync_each
