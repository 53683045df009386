# The other outputs of the same table.
f=$TESTDATA/madengine/2.0/power/gpu_info_power_profiler_output.csv
for o in text md tsv; do powerstats -q -f $o "$f"; done
cd "$TESTDATA/madengine/2.0/power" && powerstats -q -f json gpu_info_power_profiler_output.csv
powerstats -q -f json gpu_info_vram_profiler_output.csv | head -n 1
cd ../energy && powerstats -q -f json --offset 0 --trace app_kernel_trace.csv gpu_info_power_profiler_output.csv | head -n 1
powerstats -q -f csv -s energy -n 1 --columns device,energy_j,node ../power/gpu_info_power_profiler_output.csv
