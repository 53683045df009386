# Two files with the same number are one node, one after the other in time, whatever the order of the operands: the halves
# of a file give what the file gives.
f=$TESTDATA/madengine/2.0/power/gpu_info_power_profiler_output.csv
{ head -n 1 "$f"; sed -n '2,4p' "$f"; } >one.csv
{ head -n 1 "$f"; sed -n '5,8p' "$f"; } >two.csv
powerstats -q -f csv "$f" >want
powerstats -q -f csv 0=one.csv 0=two.csv | cmp - want
powerstats -q -f csv 0=two.csv 0=one.csv | cmp - want
# Files that lie over each other in time go back where the second begins.
sed 's/10:00:00.2/10:00:00.0/' two.csv >over.csv
sed -i '2s/10:00:00.350000/10:00:00.050000/' over.csv
powerstats -f csv 0=one.csv 0=over.csv
