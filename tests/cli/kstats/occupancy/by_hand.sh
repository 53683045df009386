# How many waves fit.  Agent 2 is a MI300X (gfx942, 304 CUs): 64 + 64 registers allow 4 waves a SIMD, so 4 workgroups of 4
# waves; 25600 bytes of LDS 2 of 65536: 8 of 32 waves.  136 registers allow 3, and 8 fewer would allow 4.  1024 workgroups
# of which 608 run at once take 2 rounds of 1216 places: 84.21 %.  8 workgroups leave 296 CUs empty; the grid of stream-K is
# that small on purpose.  Agent 3 is gfx1100: 72 registers, 96 CUs are 48 WGPs.  Agent 9 is not described.
trace() { # FILE, then AGENT NAME LDS VGPR ACCUM SGPR WG GRID
	f=$1; shift
	echo '"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","Group_Segment_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"' >"$f"
	i=0
	while [ $# -gt 0 ]; do
		echo "\"KERNEL_DISPATCH\",$1,1,\"$2\",$i,${i}000,${i}900,$3,$4,$5,$6,$7,1,1,$8,1,1" >>"$f"
		i=$((i + 1))
		shift 8
	done
}
agents() { # FILE, then NODE CUS GFX
	f=$1; shift
	echo '"Node_Id","Logical_Node_Id","Agent_Type","Name","Cu_Count","Gfx_Target_Version"' >"$f"
	while [ $# -gt 0 ]; do
		echo "$1,$1,\"GPU\",\"gfx\",$2,$3" >>"$f"
		shift 3
	done
}
agents a_agent_info.csv 2 304 90402 3 96 110000 4 256 120500
trace a_kernel_trace.csv \
	2 lds_bound 25600 64 64 96 256 262144 \
	2 lds_bound 25600 64 64 96 256 262144 \
	2 vgpr_bound 0 128 8 64 256 2048 \
	2 Cijk_Ailk_Bljk_BBS_BH_MT64x64x64_MI16x16x1_SN_SK3_SKXCCM4 0 24 0 32 320 2560 \
	3 rdna 0 72 0 128 256 65536 \
	4 new 0 72 0 128 256 65536 \
	9 elsewhere 0 72 0 128 256 65536 \
	2 wrong 0 260 0 128 256 65536
kstats occupancy -f csv ./*.csv || exit
COLUMNS=120 kstats occupancy -q ./*.csv || exit
tracemerge -q -o run.db ./*.csv || exit
kstats occupancy -q -f csv ./*.csv >raw
kstats occupancy -q -f csv run.db | cmp - raw || exit
kstats occupancy -q -f csv --columns name,arch,waves,slots --arch gfx90a --cus 110 -k elsewhere a_kernel_trace.csv || exit
# The profiler halves the registers of gfx950, as 100 proves: 8 k + 4 without accumulation registers is no right number.
# 60 are 120, 4 waves a SIMD.  Where only 64 is seen, it may be 64 or 128: 8 waves a SIMD, or 4.
agents a_agent_info.csv 2 256 90500
trace a_kernel_trace.csv 2 a 0 60 0 32 256 65536 2 b 0 100 0 32 256 65536
kstats occupancy -f csv --columns name,waves,note ./*.csv || exit
trace a_kernel_trace.csv 2 a 0 64 0 32 256 65536
kstats occupancy -f csv --columns name,waves,note ./*.csv || exit
trace a_kernel_trace.csv 2 a 0 64 0 32 256 65536 2 b 0 64 64 32 256 65536
kstats occupancy -f csv --columns name,waves,note ./*.csv || exit
# Static LDS; counters of dispatches where there is nothing else; no registers.
ln -s "$TESTDATA" data
kstats occupancy -f csv -n 1 data/rocprofv3/7.0/run || exit
kstats occupancy -q -f csv --arch gfx90a data/rocprofv3/7.0/pmc || exit
kstats occupancy -f csv data/kineto/7.0/step/worker_77.pt.trace.json || exit
kstats occupancy --arch gfx9 a_kernel_trace.csv; echo $?
kstats occupancy data/rocprofv3/7.0/run/app_hip_api_trace.csv; echo $?
# Sums alone have no shapes.
kstats occupancy data/rocprofv3/7.0/stats; echo $?
tracemerge -q --stats-only -o sums.db data/rocprofv3/7.0/run || exit
kstats occupancy sums.db; echo $?
kstats occupancy -w 1ns..2ns data/rocprofv3/7.0/run; echo $?
# rocprof v1 records how wide waves are, so on RDNA only the mode is not known.
echo 'Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,arch_vgpr,accum_vgpr,sgpr,wave_size,sig,obj,BeginNs,EndNs' >v1.csv
echo '0,"k",0,0,0,1,1,65536,256,0,0,88,0,128,32,0x0,0x0,1000,2000' >>v1.csv
kstats occupancy -f csv --columns name,waves,note --arch gfx1100 --cus 96 v1.csv
