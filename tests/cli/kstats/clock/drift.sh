# 20 launches of k: 1000 ns each on agent 1; on agent 2 ten of 1100 and ten of 1200, so that the last quarter takes 100 / 1100
# longer, and the median 10 % longer than on agent 1.  h runs on agent 2 alone, 4 x 500 ns.  Agent 2 takes 25,000 ns, 5000 more than
# agent 1; 20 x 1000 x 10 % of them, 40 %, may be its clock.  Collectives do not count; another grid is another row.
i=0
launch() { # AGENT NAME NS GRID
	i=$((i + 1))
	echo "\"KERNEL_DISPATCH\",$1,1,\"$2\",$i,${i}0000,$((i * 10000 + $3)),256,1,1,$4,2,1"
}
{
	echo '"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"'
	for _ in 1 2 3 4 5 6 7 8 9 10; do launch 1 k 1000 4096; launch 2 k 1100 4096; done
	for _ in 1 2 3 4 5 6 7 8 9 10; do launch 1 k 1000 4096; launch 2 k 1200 4096; done
	for _ in 1 2 3 4; do launch 2 h 500 256; done
	launch 1 'ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)' 90000 256
} >t_kernel_trace.csv
kstats clock --drift -f csv t_kernel_trace.csv || exit
COLUMNS=120 kstats clock --drift -q t_kernel_trace.csv || exit
COLUMNS=80 kstats clock --drift -q t_kernel_trace.csv || exit
tracemerge -q -o run.db t_kernel_trace.csv || exit
kstats clock --drift -q -f csv t_kernel_trace.csv >raw
kstats clock --drift -q -f csv run.db | cmp - raw || exit
kstats clock --drift "$TESTDATA/rocprofv3/7.0/run/app_hip_api_trace.csv"; echo $?
kstats clock --drift "$TESTDATA/rocprofv3/7.0/stats"; echo $?
