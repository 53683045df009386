# --region keeps what was launched inside: the path from the right, anchored by '/', with or without numbers, with -w and -k.
#
#   host     train 0..1000 holds step 1 100..300 (attn 110..150, mlp 160..200) and step 2 400..600 (attn 410..450); eval 2000..3000 (attn)
#   kernels  1 step 1/attn   2 step 1/mlp   3 step 1   4 step 2/attn   5 eval/attn   6 nobody's, starts at 2500 in eval on no known thread
cat >p_marker_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MARKER_CORE_RANGE_API","train",7,7,100,0,1000
"MARKER_CORE_RANGE_API","step 1",7,7,101,100,300
"MARKER_CORE_RANGE_API","attn",7,7,102,110,150
"MARKER_CORE_RANGE_API","mlp/up",7,7,103,160,200
"MARKER_CORE_RANGE_API","step 2",7,7,104,400,600
"MARKER_CORE_RANGE_API","attn",7,7,105,410,450
"MARKER_CORE_RANGE_API","eval",7,7,106,2000,3000
"MARKER_CORE_RANGE_API","attn",7,7,107,2100,2200
END
cat >p_hip_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",7,7,1,120,125
"HIP_RUNTIME_API","hipLaunchKernel",7,7,2,170,175
"HIP_RUNTIME_API","hipLaunchKernel",7,7,3,250,255
"HIP_RUNTIME_API","hipLaunchKernel",7,7,4,420,425
"HIP_RUNTIME_API","hipLaunchKernel",7,7,5,2110,2115
END
cat >p_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4",1,"k1",1,5001,5002
"KERNEL_DISPATCH","Agent 4",1,"k2",2,5002,5004
"KERNEL_DISPATCH","Agent 4",1,"k3",3,5004,5008
"KERNEL_DISPATCH","Agent 4",1,"k4",4,5008,5016
"KERNEL_DISPATCH","Agent 4",1,"k5",5,5016,5032
"KERNEL_DISPATCH","Agent 4",1,"k6",99,2500,2564
END
names() {
	kstats top -q -f csv --columns name -s name "$@" . | tail -n +2 | tr '\n' ' '
	echo "$*"
}
for path in attn step/attn 'step */attn' 'step 1/attn' /train /attn /eval 'train/step *' 'mlp\/up' train/attn; do
	names --region "$path"
done
names --region 'step *' -k 'k[13]'
names --region attn -w marker:train
names --region attn -w 5008..
mkdir db run && ln p_*.csv run || exit
# The tools that read events: the same rows, and what they left out.
kstats top -f csv --columns name,calls --region eval run
tracecat --region /eval --columns kind,name run
tracemerge -q -o db/run.db --region 'step 2' run && tracecat -q --columns kind,name db/run.db
kstats regions -q -f csv --columns region,count,self_gpu_ns db/run.db
tracediff -q -f csv --on kernel --columns name,calls_a,calls_b --region attn run db/run.db; echo $?
kstats timeline --region attn run; echo $?
kstats top --region a//b run; echo $?
kstats top --region '' run; echo $?
kstats top --region / run; echo $?
kstats top --region nothing run; echo $?
kstats top --region attn - <p_kernel_trace.csv
