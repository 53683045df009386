# rocprof-compute over a rocpd database writes a row a counter: six rows here are two dispatches, the
# second of which was measured in two passes, with times of their own: 100 + 200 + 210 ns of 3 calls,
# not of 6.  The counters are kept, and run.db says the same.
cat >pmc_perf.csv <<'END'
GPU_ID,Dispatch_ID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,Kernel_Name,Start_Timestamp,End_Timestamp,Kernel_ID,Counter_Name,Counter_Value
2,1,1024,256,0,0,4,4,16,"add(int, float)",1000,1100,12,SQ_WAVES,16.0
2,1,1024,256,0,0,4,4,16,"add(int, float)",1000,1100,12,TCC_HIT_sum,0.5
2,2,1024,256,0,0,4,4,16,"add(int, float)",2000,2200,12,SQ_WAVES,17.0
2,2,1024,256,0,0,4,4,16,"add(int, float)",5000,5210,12,GRBM_COUNT,99.0
2,1,1024,256,0,0,4,4,16,"add(int, float)",1000,1100,12,SQ_INSTS,1e6
2,2,1024,256,0,0,4,4,16,"add(int, float)",5000,5210,12,SQ_BUSY,None
END
kstats top -f csv --columns calls,total_ns,name pmc_perf.csv
tracecat --columns kind,dispatch_id,start_ns,counter,value pmc_perf.csv
tracemerge -q -o run.db pmc_perf.csv
kstats top -f csv --columns calls,total_ns,name run.db
tracecat --columns kind,dispatch_id,start_ns,counter,value run.db
tracecat info -f csv --columns table,rows,kinds pmc_perf.csv
