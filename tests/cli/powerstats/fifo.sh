# What can be read only once is read once: a pipe with a name.
mkfifo p
cat "$TESTDATA/madengine/2.0/power/gpu_info_power_profiler_output.csv" >p &
powerstats -q -f csv p
