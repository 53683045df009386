# Only rows in the window.  From .1 to before .4 of the first file: GPU0 37.5 + 30 = 67.5 J in .25 s; GPU1 has the
# reading at .1 alone.  The same by share: the file is 1.55 s long, 6.5 % of it .10075 s, so 6.4 % is before .1.
cd "$TESTDATA/madengine/2.0/power" || exit
f=gpu_info_power_profiler_output.csv
powerstats -q -f csv -w +100ms..+400ms "$f"
powerstats -q -f csv -w 6.4%..25% "$f"
# All of it includes the last row.
powerstats -q -f csv -w ..100% "$f"
powerstats -f csv -w +5s.. "$f"; echo $?
powerstats -w step:1 "$f"; echo $?
powerstats -w marker:x "$f"; echo $?
powerstats -w 5 "$f"
