# Power of GPU0 goes from 100 W at 0 s to 200 W at 1 s and stays; E(t) = 100 t + 50 t^2 until then.  GPU1: 50 W.  On the readings' clock
# (the trace's read 1 s at the first row) GPU0 runs gemm [0,.5), elementwise [.25,.75), softmax [.9,1), GPU1 gemm [.5,1).
#   gemm         28.125 alone + 34.375/2 = 45.3125, and 25 on GPU1: 70.3125 J in 1 s; full power 62.5 + 25: 87.5 W
#   elementwise  34.375/2 + 40.625 = 57.8125 J in .5 s; full 75: 150 W
#   softmax      150 - E(.9) = 19.5 J in .1 s: 195 W
#   idle         E(.9) - E(.75) = 130.5 - 103.125 = 27.375 J in .15 s: 182.5 W
#   untraced     GPU0 200 J in [1,2), GPU1 25 + 50 J in [0,.5) and [1,2): 275 J in 2.5 s: 110 W
# All of it 450 J, as the table without --trace has it: 150 + 200 + 100.  Shares are of 175 J.
m=$TESTDATA/madengine/2.0/energy
powerstats -f csv --trace "$m/app_kernel_trace.csv" --offset 1000000000 "$m/gpu_info_power_profiler_output.csv"
powerstats -q -f csv --columns energy_j "$m/gpu_info_power_profiler_output.csv"
powerstats -q --trace "$m/app_kernel_trace.csv" --offset 1000000000 "$m/gpu_info_power_profiler_output.csv"
powerstats -q -f csv -s energy,class -n 2 --columns class,energy_j --scale 2 --trace "$m/app_kernel_trace.csv" --offset 1000000000 "$m/gpu_info_power_profiler_output.csv"
