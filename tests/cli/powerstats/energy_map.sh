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
# Packages of two dies: agents 4 and 5 are GPU0 and GPU1, whose one reading is in the column of GPU0.
printf 'time,Power(Watt) GPU0,Power(Watt) GPU2\n2026-03-01 10:00:00,100,100\n2026-03-01 10:00:01,100,100\n' >mi200.csv
printf '"Node_Id","Agent_Type","Name"\n4,"GPU","gfx90a"\n5,"GPU","gfx90a"\n6,"GPU","gfx90a"\n7,"GPU","gfx90a"\n' >mi200_agent_info.csv
$c --trace "$m/app_kernel_trace.csv" --trace mi200_agent_info.csv mi200.csv
