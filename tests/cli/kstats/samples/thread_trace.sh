# The table of a thread trace: cycles of each instruction on one compute unit.  Rows "; name" begin kernels.  4000 + 12 of
# 4108 cycles are at s_waitcnt: 97.66 %.  Two dispatches of a kernel add up.
mkdir x
cat >x/stats_ui_output_agent_1_dispatch_2.csv <<'X'
CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source
1,6144,"; _Z6vecAddPfS_",0,0,0,0,"vecAdd(float*, float*)"
1,6144,"s_load_dwordx2 s[0:1], s[4:5], 0x0",8,96,32,0,"/src/vec.cpp:3"
1,6152,"s_waitcnt lgkmcnt(0)",8,4000,3900,12,"/src/vec.cpp:3"
1,6160,"s_endpgm",0,0,0,0,""
2,6144,"; k2.kd",0,0,0,0,""
2,6144,"s_nop 0",4,10,0,2,""
X
kstats samples -f csv x || exit
for w in 80 120; do
	COLUMNS=$w kstats samples -q x || exit
done
kstats samples -q -f csv --lines --columns name,source,pct,hits,cycles x || exit
kstats samples -q -f csv -k k2 --columns name,instruction,hits x || exit
kstats samples -q -f csv x >raw
tracemerge -q -o run.db x && kstats samples -q -f csv run.db | cmp - raw || exit
cp x/stats_ui_output_agent_1_dispatch_2.csv x/stats_ui_output_agent_1_dispatch_3.csv
kstats samples -q -f csv --kernels --columns name,hits,cycles,latency,stalled,idle x || exit
