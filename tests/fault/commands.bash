# SPDX-License-Identifier: MIT
# Read in by the scripts beside it that try a fault on everything: an array `commands` of command lines, words
# without blanks, that answer from small shipped inputs in a few milliseconds.  Every sub-command
# and every reader is in it, or reading this file ends the test.
# shellcheck shell=bash disable=SC2034
run=$DATA/run
regions="$run/app_kernel_trace.csv $run/app_hip_api_trace.csv $run/app_marker_api_trace.csv"
rccl=$TESTDATA/rccl/2.18/two_ranks
logs=$TESTDATA/madengine/2.0/logs
power=$TESTDATA/madengine/2.0
bench=$TESTDATA/hipblaslt/7.0/bench

commands=(
	"kstats top -f csv --per rank,agent,queue,stream,shape $run"
	"kstats top -f csv --domain all $run"
	"kstats classes -f csv $DATA/ranks"
	"kstats gemm -f csv $run"
	"kstats gemm --tiles -f csv $DATA/demo"
	"kstats gemm --types -f csv $DATA/demo"
	"kstats ops -f csv $TESTDATA/kineto/2.9/train/worker_40.pt.trace.json"
	"kstats timeline -f csv $run"
	"kstats gaps -f csv $DATA/sync_each"
	"kstats gaps --list -f csv $DATA/sync_each"
	"kstats gaps --fuse -f csv fuse_kernel_trace.csv"
	"kstats gaps --hist -f csv --per queue $DATA/sync_each"
	"kstats sync -f csv --during idle $run"
	"kstats launch -f csv --name class $DATA/sync_each"
	"kstats copies -f csv $run"
	"kstats memory -f csv $run"
	"kstats memory -f csv --list $run"
	"kstats regions -f csv $regions"
	"kstats regions --kernels --name short -f csv $regions"
	"kstats regions --list -f csv $regions"
	"kstats top -f csv -w marker:ProfilerStep#7 $TESTDATA/kineto/2.9/train/worker_40.pt.trace.json"
	"tracecat --region ProfilerStep#7 $TESTDATA/kineto/2.9/train/worker_40.pt.trace.json"
	"kstats regions --steps -f csv $regions"
	"kstats steps $regions"
	"kstats steps --total -f csv $regions"
	"kstats ranks --imbalance -f csv -w step:1 $regions"
	"kstats ranks -f csv $DATA/ranks"
	"kstats collectives -f csv 0=$rccl/0_kernel_trace.csv 0=$rccl/0_rccl.log 1=$rccl/1_kernel_trace.csv 1=$rccl/1_rccl.log"
	"kstats collectives --ranks -f csv 0=$rccl/0_kernel_trace.csv 1=$rccl/1_kernel_trace.csv"
	"kstats ranks --collectives -f csv 0=$rccl/0_kernel_trace.csv 0=$rccl/0_rccl.log 1=$rccl/1_kernel_trace.csv 1=$rccl/1_rccl.log"
	"kstats efficiency -f csv $run"
	"kstats occupancy -f csv $run"
	"kstats roofline -f csv $TESTDATA/kineto/7.0/step"
	"kstats roofline -f csv --peaks"
	"kstats roofline -f csv --gpu MI300X work_counter_collection.csv"
	"kstats roofline --chart --log $logs/node1.log $TESTDATA/kineto/7.0/step"
	"kstats samples -f csv $TESTDATA/rocprofv3/7.1/samples"
	"kstats samples --lines -f csv $TESTDATA/rocprofv3/7.1/samples_json"
	"kstats samples -f csv -k vecAdd $TESTDATA/rocprofv3/7.1/thread_trace"
	"kstats counters -f csv $DATA/pmc"
	"kstats counters --explain -f csv --arch gfx942 --cus 304 --xccs 8 $DATA/pmc"
	"kstats clock -f csv --max-mhz 2100 --xccs 8 clock_counter_collection.csv"
	"kstats clock --drift -f csv $run"
	"kstats kernel gemm_tile -f csv $run"
	"kstats efficiency --runs -f csv $DATA/sync_each $DATA/sync_once"
	"kstats whatif -f csv -j 1 $DATA/sync_each"
	"kstats whatif -f csv -j 1 --balance --scale comm=0.5 --ranks 0=$rccl/0_kernel_trace.csv 0=$rccl/0_rccl.log 1=$rccl/1_kernel_trace.csv 1=$rccl/1_rccl.log"
	"kstats whatif -f csv -j 1 --steps --launch 0 $regions"
	"kstats whatif -f csv -j 1 --apart 0=$rccl/0_kernel_trace.csv 1=$rccl/1_kernel_trace.csv"
	"kstats path -f csv -j 1 $regions"
	"kstats path --list -f csv -j 1 $DATA/sync_each"
	"kstats findings -f csv $DATA/sync_each"
	"kstats findings --explain sync-waits $DATA/sync_each"
	"kstats summary -f csv $run"
	"kstats top -f csv $DATA/stats"
	"tracemerge -q -j 1 $DATA/ranks"
	"tracemerge -q -j 1 --stats-only $run"
	"tracemerge -q -j 1 --stats-only sums.db"
	"kstats launch -f csv sums.db"
	"kstats sync -f csv sums.db"
	"kstats summary -f csv sums.db"
	"kstats ranks -f csv sums.db"
	"kstats efficiency -f csv sums.db"
	"kstats steps -f csv sums.db"
	"kstats regions -f csv sums.db"
	"kstats collectives -f csv comm.db"
	"kstats ops -f csv ops.db"
	"tracemerge -q -j 1 --stats-only 0=$rccl/0_kernel_trace.csv 0=$rccl/0_rccl.log 1=$rccl/1_kernel_trace.csv 1=$rccl/1_rccl.log"
	"tracecat info -f csv $TESTDATA/rocpd/3.0.0/ranks $TESTDATA/rpd"
	"tracecat --sort start_ns --to ndjson -w 10%..90% $DATA/ranks"
	"tracecat --to pftrace -j 1 $run"
	"tracecat --to chrome -j 1 --budget 20K $DATA/ranks"
	"tracediff -f csv $DATA/sync_each $DATA/sync_once"
	"tracediff --account $DATA/sync_each $DATA/sync_once"
	"tracediff --on steps --per api --skip 0 $DATA/sync_each $DATA/sync_once"
	"tracediff --per problem -f csv $bench/default.txt $bench/tuned.txt"
	"tracediff --allow self,agents $DATA/run $DATA/sync_each -- $DATA/sync_once $DATA/run"
	"tracecheck -f csv --preset training --rule top[\"*\"].avg_us<30 $DATA/sync_each"
	"tracecheck -f junit --rule top[\"*\"].avg_us<=baseline*1.03 --rule gaps.p99_us<5 --baseline $DATA/sync_each $DATA/sync_once"
	"tracecheck -f md --rules $ROOT/tests/fault/check.rules $DATA/ranks"
	"tracecheck -q -f csv --rule powerstats.peak_w<500 --rule libperf.top.calls>0 --rule powerstats.mean_w<baseline+900 --baseline $TESTDATA/madengine/2.0/energy $TESTDATA/madengine/2.0/power/gpu_info_power_profiler_output.csv $TESTDATA/madengine/2.0/library"
	"tracecheck -q -f csv --rule powerstats.energy(--offset=1000000000)[gemm].energy_j<71 $TESTDATA/madengine/2.0/energy"
	"tracereport -q -j 1 $DATA/ranks"
	"tracereport -q -j 1 --baseline $DATA/sync_each $DATA/sync_once"
	"libperf trace $logs"
	"libperf top -f csv $logs/node1.log"
	"libperf bench -f csv $bench $TESTDATA/miopen/2.10/driver $TESTDATA/pytorch/2.4/tunableop"
	"libperf bench -f csv $ROOT/tests/fault/rccl_tests.log"
	"libperf best -f csv $bench/tuned.txt $TESTDATA/rocblas/5.7/bench"
	"libperf compare -f csv $bench/default.txt $bench/tuned.txt"
	"libperf roofline -f csv $TESTDATA/rocblas/5.7/bench"
	"powerstats -f csv --what power 0=$power/power 1=$power/mi200"
	"powerstats -f csv --offset 1000000000 --trace $power/energy/app_kernel_trace.csv $power/energy/gpu_info_power_profiler_output.csv"
	"powerstats -f csv $TESTDATA/rocpd/3.0.0/rocprof-sys $TESTDATA/rpd/2/sessions $power/power/gpu_info_power_profiler_output.csv"
	"powerstats -f csv --by region $TESTDATA/rocpd/3.0.0/rocprof-sys/rocpd-300.db"
	"powerstats -f csv --by region --offset 1000000000 --trace $power/energy/app_kernel_trace.csv $power/energy/gpu_info_power_profiler_output.csv"
)

# An input for each reader: its name as --list-formats has it, how it is asked, and the files.
readers=(
	"rocprofv3-csv events $run"
	"rocprofv2-csv events $TESTDATA/rocprofv2/6.1/run"
	"rocprofv1-csv events $TESTDATA/rocprofv1/6.2/counters"
	"rocprof-stats sums $DATA/stats"
	"rocprof-agents info $run/app_agent_info.csv"
	"tracecat-csv events $TESTDATA/tracecat/0.2/events.csv"
	"tracecat-ndjson events $TESTDATA/tracecat/0.2/events.ndjson"
	"rocprofv2-markers events $TESTDATA/rocprofv2/5.7/run"
	"rocprofv2-text events $TESTDATA/rocprofv2/6.1/cli/kernels.txt"
	"rocprofv1-text events $TESTDATA/rocprofv1/6.2/text_hip"
	"rocprofsys-text sums $TESTDATA/rocprofsys/1.2/run"
	"rocprofv3-summary sums $TESTDATA/rocprofv3/7.0/summary/app_summary.txt"
	"pftrace events $TESTDATA/perfetto-sdk/44/tiny/tiny.pftrace"
	"rocpd events $TESTDATA/rocpd/3.0.5/processes/merged.db"
	"rpd events $TESTDATA/rpd/2/sessions/trace.rpd"
	"rocprofv1-db events $TESTDATA/rocprofv1/6.2/database/trace.db"
	"rocprofv3-json events $DATA/json/1234_results.json"
	"kineto-json events $TESTDATA/kineto/7.0/step"
	"rocprofv1-json events $TESTDATA/rocprofv1/6.2/json"
	"rocprofv2-json events $TESTDATA/rocprofv2/6.2/json"
	"rocprofsys-json sums $ROOT/tests/fuzz/regressions/rocprofsys_json/several_ranks"
	"rpd-json events $TESTDATA/rpd/2/json"
	"chrome-json events $TESTDATA/chrome/plain"
	"rccl-log events $rccl/0_rccl.log"
	"rccl-log events late.log"
	"run-db events run.db"
	"run-db info run.db $TESTDATA/kineto/7.0/step $DATA/json/1234_results.json $TESTDATA/perfetto-sdk/44/tiny/tiny.pftrace"
)
tracemerge -q -j 1 -o run.db "$DATA/ranks" || exit 1
tracemerge -q -j 1 --stats-only -o sums.db "$run" || exit 1
tracemerge -q -j 1 --stats-only -o comm.db 0="$rccl/0_kernel_trace.csv" 0="$rccl/0_rccl.log" 1="$rccl/1_kernel_trace.csv" \
	1="$rccl/1_rccl.log" || exit 1
tracemerge -q -j 1 --stats-only -o ops.db "$TESTDATA/kineto/2.9/train/worker_40.pt.trace.json" || exit 1
{ # 1600 MHz, as the sum of 8 XCCs
	echo '"Dispatch_Id","Agent_Id","Kernel_Name","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"'
	echo '1,4,"k","GRBM_GUI_ACTIVE",2560000,1000000,1200000'
} >clock_counter_collection.csv
{ # what was done, of two dispatches of which one lacks times
	echo '"Dispatch_Id","Agent_Id","Kernel_Name","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"'
	printf '%d,4,"k","%s",64,%d,1200000\n' 1 SQ_INSTS_VALU_MFMA_MOPS_BF16 1000000 1 FETCH_SIZE 1000000 1 WRITE_SIZE 1000000 \
		2 SQ_INSTS_VALU_MFMA_MOPS_F16 1200000 2 FETCH_SIZE 1200000
} >work_counter_collection.csv
{ # a and b always follow each other
	echo '"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
	for i in 1 2 3; do
		printf '"KERNEL_DISPATCH",2,1,"%s",%d,%d,%d\n' a $i ${i}0000 ${i}1000 b 1$i ${i}2000 ${i}3000 long 2$i ${i}4000 $((i + 5))0000
	done
} >fuse_kernel_trace.csv
{ # RCCL's lines begin after what is looked at first
	seq -f 'epoch %.0f: loss 0.5, 17.3 samples a second' 1 2000
	cat "$rccl/0_rccl.log"
} >late.log

# Every sub-command a tool has, and every format, stands above.
for tool in kstats tracecat libperf; do
	while read -r word; do
		[[ " ${commands[*]/%/ }" == *" $tool $word "* ]] || {
			echo "commands.bash: $tool $word is missing"
			exit 1
		}
	done < <("$tool" --help | sed -n '/^Sub-commands:/,/^Options:/s/^  \([a-z]\{1,\}\) .*/\1/p')
done
while read -r word; do
	[[ " ${readers[*]/%/ }" == *" $word "* ]] || {
		echo "commands.bash: no input for the reader $word"
		exit 1
	}
done < <(tracecat --list-formats | sed -n 's/^\([a-z0-9-]\{1,\}\)  .*/\1/p')
for line in "${readers[@]}"; do
	read -r _ how files <<<"$line"
	case $how in
	events) commands+=("tracecat -q $files") ;;
	sums) commands+=("kstats top -q -f csv --domain all $files") ;;
	info) commands+=("tracecat info -f csv $files") ;;
	esac
done
