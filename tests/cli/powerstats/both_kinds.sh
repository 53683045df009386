# Power and VRAM are two tables: one has to be asked for.
cd "$TESTDATA/madengine/2.0/power" || exit
powerstats -f csv .; echo $?
powerstats -q -f csv --what power .
powerstats -q -f csv --what vram .
powerstats -q -f csv --what vram gpu_info_power_profiler_output.csv
