# Passes over the same dispatches are joined by number where that goes with the same kernel in every pass, else by kernel
# and order.  Here pass 2 lacks dispatch 2, so `hit` has it in neither L2 metric, but its counters stay.
# shellcheck source=/dev/null
. "$ROOT/tests/cli/counted"
counted n/pmc_1/a_counter_collection.csv 1 k TCC_HIT_sum 1 100 200 2 k TCC_HIT_sum 5 300 400 3 k TCC_HIT_sum 3 500 600
counted n/pmc_2/a_counter_collection.csv 1 k TCC_MISS_sum 1 1100 1200 3 k TCC_MISS_sum 1 1500 1600
kstats counters -f csv n || exit
tracemerge -q -o n.db n && kstats counters -q -f csv n.db >db && kstats counters -q -f csv n | cmp - db || exit
# The second pass counts from 11: its first `k` is the first `k`.
counted o/pmc_1/a_counter_collection.csv 1 k TCC_HIT_sum 1 100 200 2 j TCC_HIT_sum 5 300 400 3 k TCC_HIT_sum 3 500 600
counted o/pmc_2/a_counter_collection.csv 11 k TCC_MISS_sum 1 1100 1200 12 j TCC_MISS_sum 5 1300 1400 13 k TCC_MISS_sum 1 1500 1600
kstats counters -f csv --columns name,counter,dispatches,mean,min,max,note o || exit
# A counter that a dispatch has twice (the kernel was executed again) counts once.
counted r/a_counter_collection.csv 1 k SQ_WAVES 4 100 200 1 k TCC_HIT_sum 4 100 200 1 k TCC_MISS_sum 12 300 400 1 k SQ_WAVES 5 300 400
kstats counters -f csv --columns counter,dispatches,mean r || exit
# Nothing counted: what collects it.
ln -s "$TESTDATA" data
kstats counters data/rocprofv3/7.0/run; echo $?
kstats counters data/rocprofv3/7.0/stats; echo $?
kstats counters -f csv -n 3 data/rocprofv3/7.0/pmc || exit
kstats counters -w 1ns..2ns data/rocprofv3/7.0/pmc; echo $?
# rocprofv2 5.7 may give one counter the values of another.
echo 'Dispatch_ID,GPU_ID,Queue_ID,Queue_Index,PID,TID,GRD,WGR,LDS,SCR,Arch_VGPR,ACCUM_VGPR,SGPR,Wave_Size,SIG,OBJ,Kernel_Name,Start_Timestamp,End_Timestamp,Correlation_ID,SQ_WAVES' >results_1.csv
echo '1,1,1,0,7,7,64,64,0,0,8,0,16,64,0,0,"k.kd",100,200,1,4.000000' >>results_1.csv
kstats counters -f csv results_1.csv
