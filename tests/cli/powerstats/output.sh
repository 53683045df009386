# -o appears whole or not at all; a full device is a failure and is said; a closed pipe is quiet.
f=$TESTDATA/madengine/2.0/power/gpu_info_power_profiler_output.csv
powerstats -q -o out.csv -f csv "$f" && cat out.csv
powerstats -q -o no/such/place "$f"; echo $?
powerstats -q -f csv "$f" >/dev/full; echo $?
powerstats -q -f csv "$f" | true
powerstats -q -o none.csv missing.csv; echo $?
ls
