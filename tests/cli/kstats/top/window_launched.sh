# -w marker:NAME is what was launched inside, -w window:NAME what starts between its ends on the clock.
#
#   host     prefill 100..200               decode 300..400           decode 500..600
#   calls    1 at 110, 2 at 120             3 at 310, 4 at 390        5 at 510, 6 at 620 in no marker
#   kernels  1 150..350   2 350..420        3 420..450   4 450..550   5 550..650    6 650..651
#
# Inside the clock of decode, 300..600, start 2 (of prefill), 3, 4 and 5: 70 + 30 + 100 + 100 ns; launched in it were 3, 4 and 5.
mkdir raw
cat >raw/p_marker_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MARKER_CORE_RANGE_API","serve",7,7,100,0,1000
"MARKER_CORE_RANGE_API","prefill",7,7,101,100,200
"MARKER_CORE_RANGE_API","decode",7,7,102,300,400
"MARKER_CORE_RANGE_API","decode",7,7,103,500,600
"MARKER_CORE_RANGE_API","point",7,7,104,510,510
END
cat >raw/p_hip_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",7,7,1,110,115
"HIP_RUNTIME_API","hipLaunchKernel",7,7,2,120,125
"HIP_RUNTIME_API","hipLaunchKernel",7,7,3,310,315
"HIP_RUNTIME_API","hipLaunchKernel",7,7,4,390,395
"HIP_RUNTIME_API","hipLaunchKernel",7,7,5,510,515
"HIP_RUNTIME_API","hipLaunchKernel",7,7,6,620,625
END
cat >raw/p_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Thread_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4",1,7,"k1",1,150,350
"KERNEL_DISPATCH","Agent 4",1,7,"k2",2,350,420
"KERNEL_DISPATCH","Agent 4",1,7,"k3",3,420,450
"KERNEL_DISPATCH","Agent 4",1,7,"k4",4,450,550
"KERNEL_DISPATCH","Agent 4",1,7,"k5",5,550,650
"KERNEL_DISPATCH","Agent 4",1,7,"k6",6,650,651
END
tracemerge -q -o run.db raw || exit
for run in raw run.db; do
	for w in marker:decode window:decode marker:decode/1 marker:decode/2 marker:prefill window:prefill marker:serve; do
		echo "$w"
		kstats top -f csv --columns name,total_ns -s name -w "$w" $run
	done
	# The window is that of the work, on the GPU; the host's calls are those inside.
	kstats timeline -f csv --columns window_ns,busy_ns,idle_ns,kernels -w marker:decode $run
	kstats launch -f csv --columns name,calls -w marker:decode/1 $run
	tracecat -w marker:decode/2 --columns kind,name,start_ns $run
	tracecheck -q -f csv --columns verdict,value,rule -w marker:decode --rule 'top["k?"].total_ns < 101' $run
done
kstats top -f csv --columns name -w marker:decode/3 raw
kstats top -f csv --columns name -w marker:point raw
kstats top -f csv --columns name -w marker:nothing raw
kstats top -w marker: raw
kstats top -w window: raw
kstats top -w marker:decode - <raw/p_kernel_trace.csv
