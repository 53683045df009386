# Without CLOCK_REALTIME in the trace and without --offset there is no telling when it was: refused.
cd "$TESTDATA/madengine/2.0/energy" || exit
p=gpu_info_power_profiler_output.csv
powerstats --trace app_kernel_trace.csv "$p"; echo $?
# Another hour: refused as well.
powerstats --trace app_kernel_trace.csv --offset 900000000000 "$p"; echo $?
# Options that need each other, or exclude each other.
powerstats --offset 5 "$p"; echo $?
powerstats --trace x --offset 5 --zone UTC "$p"; echo $?
powerstats --trace x --zone CET "$p"; echo $?
powerstats --trace - <"$p"; echo $?
powerstats -q --offset 0 --trace app_kernel_trace.csv 0="$p" 1="../power/gpu_info_power_profiler_output.csv"; echo $?
powerstats -q --offset 0 --trace app_kernel_trace.csv "../power/gpu_info_vram_profiler_output.csv"; echo $?
powerstats --offset 0 --trace nowhere.csv "$p"
