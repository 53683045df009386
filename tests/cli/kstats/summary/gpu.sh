# Which GPUs worked, of those that the machine has.  The driver calls both MI350X (PCI device 30112) and MI355X (30115)
# "AMD Radeon Graphics"; agent 2 worked, agent 3, another product, did not.  Rank 1 worked on a part of a MI300X.
agents() { # FILE, then NODE DEVICE CUS MHZ GFX NAME of each GPU
	f=$1; shift
	echo '"Node_Id","Logical_Node_Id","Agent_Type","Name","Product_Name","Cu_Count","Gfx_Target_Version","Device_Id","Max_Engine_Clk_Fcompute","Num_Xcc"' >"$f"
	echo '0,0,"CPU","AMD EPYC","AMD EPYC",64,0,0,4000,1' >>"$f"
	while [ $# -gt 0 ]; do
		echo "$1,$1,\"GPU\",\"gfx\",\"$6\",$3,$5,$2,$4,8" >>"$f"
		shift 6
	done
}
kernel() { # FILE AGENT END
	echo '"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"' >"$1"
	echo "\"KERNEL_DISPATCH\",$2,1,\"gemm_kernel\",1,1000,${3:-1900}" >>"$1"
}
mkdir rank0 rank1
agents rank0/a_agent_info.csv 2 30115 256 2400 90500 'AMD Radeon Graphics' 3 30112 256 2200 90500 'AMD Radeon Graphics'
kernel rank0/a_kernel_trace.csv 2
agents rank1/a_agent_info.csv 2 29857 38 2100 90402 'AMD Instinct MI300X'
kernel rank1/a_kernel_trace.csv 2 1800
gpu() {
	kstats summary -q -f csv "$@" >out || exit
	grep -e ^gpu -e ^agents out
}
gpu rank0
gpu rank0 rank1
tracemerge -q -o run.db rank0 rank1 || exit
gpu run.db
tracemerge -q --stats-only -o sums.db rank0 rank1 || exit
sqlite3 sums.db 'SELECT rank_id, agent, device, max_mhz, xccs FROM agent ORDER BY 1, 2'
COLUMNS=120 kstats -f text -q rank0 >out || exit
head -n 1 out
tracecat info -q -f csv --columns path,agents,gpus rank0 rank1 || exit
# A device that is not numbered as events are: agent 5 is one of three alike.  Where they differ, it is not known which.
kernel rank0/a_kernel_trace.csv 5
gpu rank0
agents rank0/a_agent_info.csv 2 0 96 0 110000 'AMD Radeon Graphics' 3 0 96 0 110000 'AMD Radeon Graphics'
gpu rank0
# torch.profiler: major and minor version.  Events of roctracer count from 2, and a GPU of another maker has no name.
kineto() { # NAME MAJOR MINOR MULTIPROCESSORS LANES
	echo "{\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0, \"name\": \"$1\", \"computeMajor\": $2, \"computeMinor\": $3, \"numSms\": $4, \"warpSize\": $5}, 7]," >t.json
	echo '"roctracer_version": 4.1, "traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 2, "tid": 0, "ts": 1, "dur": 2, "args": {"device": 2, "stream": 0}}]}' >>t.json
	gpu t.json
}
kineto '' 9 4 304 64
kineto 'AMD Instinct MI300X VF' 9 4 304 64
kineto '' 9 0 110 64
kineto '' 11 0 48 32
kineto 'NVIDIA H100' 9 0 132 32
kineto 'NVIDIA B200' 10 0 148 32
