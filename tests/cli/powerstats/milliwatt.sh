# Never 10 W: said, and only multiplied when asked for.  (.125 + .75)/2*.5 + (.75 + .755)/2*.5 = .21875 + .37625 = .595 J.
cd "$TESTDATA/madengine/2.0/milliwatt" || exit
f=gpu_info_power_profiler_output.csv
powerstats -f csv "$f"
powerstats -f csv --scale 1000 "$f"
powerstats -f csv -q --scale 0.5 "$f"
powerstats --scale 1000000 "$f"; echo $?
powerstats --scale 0 "$f"
