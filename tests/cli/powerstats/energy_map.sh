# Which agent is which device: in order where there are as many; as the user says; or as a list of agents beside the trace
# says; else nothing is guessed.
m=$TESTDATA/madengine/2.0/energy
p=$m/gpu_info_power_profiler_output.csv
c="powerstats -f csv --columns class,energy_j --offset 1000000000"
# The other way round gemm has GPU1's 25 J of GPU0's [0,.5) ... 50 W: gemm [0,.5) 12.5 + 12.5/2, and 87.5 J of GPU0's [.5,1).
$c --trace "$m/app_kernel_trace.csv" --map 4=1,5=0 "$p"
# One agent of two: the energy of the other device is left out.
$c --trace "$m/app_kernel_trace.csv" --map 4=0 "$p"
grep -v 'Agent 5' "$m/app_kernel_trace.csv" >one_kernel_trace.csv
$c --trace one_kernel_trace.csv "$p"; echo $?
printf '"Node_Id","Agent_Type","Name"\n0,"CPU","x"\n1,"CPU","x"\n2,"GPU","gfx942"\n4,"GPU","gfx942"\n' >one_agent_info.csv
$c --trace one_kernel_trace.csv --trace one_agent_info.csv "$p"
$c --trace one_kernel_trace.csv --map 4=9 "$p"; echo $?
$c --trace one_kernel_trace.csv --map 4 "$p"; echo $?
# Packages of two dies: agents 4 and 5 are GPU0 and GPU1, whose one reading is in the column of GPU0.  Where the trace does not
# say that these are gfx90a, it is assumed, with a note.  gfx942 has no such packages: of four GPUs the second has no readings;
# of two, GPU2 shows that the trace's list is not that of the devices, and nothing is guessed.
printf 'time,Power(Watt) GPU0,Power(Watt) GPU2\n2026-03-01 10:00:00,100,100\n2026-03-01 10:00:01,100,100\n' >even.csv
agents() { # FILE TARGET_VERSION NODE...
	f=$1 v=$2; shift 2
	echo '"Node_Id","Agent_Type","Name","Gfx_Target_Version"' >"$f"
	for n; do echo "$n,\"GPU\",\"gfx\",$v" >>"$f"; done
}
agents mi200_agent_info.csv 90010 4 5 6 7
$c --trace "$m/app_kernel_trace.csv" --trace mi200_agent_info.csv even.csv
sed 's/,[^,]*$//' mi200_agent_info.csv >unknown_agent_info.csv
$c --trace "$m/app_kernel_trace.csv" --trace unknown_agent_info.csv even.csv
agents four_agent_info.csv 90402 4 5 6 7
$c --trace "$m/app_kernel_trace.csv" --trace four_agent_info.csv even.csv
agents two_agent_info.csv 90402 4 5
$c --trace "$m/app_kernel_trace.csv" --trace two_agent_info.csv even.csv; echo $?
$c --trace "$m/app_kernel_trace.csv" --trace two_agent_info.csv --map 4=0,5=2 even.csv
