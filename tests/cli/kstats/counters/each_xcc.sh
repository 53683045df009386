# rocprofv2 that counts each XCC for itself has a row for each, with the same dispatch: 2 dispatches of 8 XCCs are 2 calls of
# 200 us, with 100 + 101 + ... + 107 = 828 waves and 8 x 400000 cycles, so 2 GHz, in any order of rows, packed, in run.db and
# as text.  Nothing but the XCC may differ: process 8 has a dispatch 1 of its own.
head='Dispatch_ID,GPU_ID,Queue_ID,PID,TID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,Wave_Size,Kernel_Name,Start_Timestamp,End_Timestamp,Correlation_ID,XCC_Index,SQ_WAVES,GRBM_GUI_ACTIVE'
for x in 0 1 2 3 4 5 6 7; do
	for d in 1 2; do
		echo "$d,4,1,7,7,65536,256,0,0,32,0,32,64,\"k(float*) (.kd)\",${d}000000,${d}200000,0,$x,10$x.000000,400000.000000" >>rows
		echo "Dispatch_ID($d), GPU_ID(4), Queue_ID(1), Process_ID(7), Thread_ID(7), Grid_Size(65536), Workgroup_Size(256), LDS_Per_Workgroup(0), Scratch_Per_Workitem(0), Arch_VGPR(32), Accum_VGPR(0), SGPR(32), Wave_Size(64), Kernel_Name(\"k(float*) (.kd)\"), Begin_Timestamp(${d}000000), End_Timestamp(${d}200000), Correlation_ID(0), XCC_Index($x), SQ_WAVES(10$x.000000), GRBM_GUI_ACTIVE(400000.000000)" >>results.txt
	done
done
mkdir a b
(echo "$head"; echo; cat rows) >a/results_7.csv
(echo "$head"; echo; sort -r rows) >b/results_7.csv
gzip -c a/results_7.csv >a.csv.gz
ask() {
	kstats counters -q -f csv --arch gfx942 --cus 304 --xccs 8 "$@"
}
kstats top -f csv --columns name,calls,total_ns a || exit
kstats clock -q -f csv --max-mhz 2100 --xccs 8 --columns dispatches,clock_mhz,note a || exit
ask a | tee want || exit
tracemerge -q -o run.db a || exit
for of in b a.csv.gz run.db results.txt 'a -j 4'; do
	# shellcheck disable=SC2086  # words
	ask $of | cmp - want || echo "$of"
done
sed '3,$s/,7,7,/,8,8,/' a/results_7.csv >b/results_8.csv
kstats top -f csv --columns name,calls,total_ns b
