# Wrong words are named, with what would be right.
f=$TESTDATA/madengine/2.0/power/gpu_info_power_profiler_output.csv
powerstats --colums x "$f"; echo $?
powerstats --columns mean_pct "$f"; echo $?
powerstats -s class "$f"; echo $?
powerstats --what energy "$f"; echo $?
powerstats --gap 0 "$f"; echo $?
powerstats --gap 3601 "$f"; echo $?
powerstats --per rank "$f"; echo $?
powerstats -f xml "$f"; echo $?
powerstats - - <"$f"; echo $?
powerstats --classes nowhere.tsv --offset 0 --trace x "$f"
