# Devices with numbers left out, one without any reading, and one with three readings missing in a row: four seconds
# are more than 3.5 times the distance of rows, so nothing is known of GPU2's energy.
# GPU0: 100 + 260 + 400 + 240 = 1000 J in 4 s.
cd "$TESTDATA/madengine/2.0/mi200" || exit
f=gpu_info_power_profiler_output.csv
powerstats -f csv "$f"
# A longer limit bridges it: 4 s at 100 W.
powerstats -f csv -q --gap 4 "$f"
