# Each file is a node of its own, in a column at the right; the order of the operands does not matter.
m=$TESTDATA/madengine/2.0
cp "$m/power/gpu_info_power_profiler_output.csv" b.csv
cp "$m/mi200/gpu_info_power_profiler_output.csv" a.csv
powerstats -q -f csv a.csv b.csv >one && cat one
powerstats -q -f csv b.csv a.csv >two; cmp one two
mkdir d && cp a.csv b.csv d && cd d && powerstats -q -f csv . | sed 's,\./,,' | cmp - ../one; cd ..
# A number in front names the node.
powerstats -q -f csv --columns node,device,energy_j 3=a.csv 1=b.csv
# The same file twice counts once.
cp a.csv c.csv
powerstats -f csv a.csv a.csv c.csv 2>&1 >got | grep -c 'counted once'; powerstats -q -f csv a.csv | cmp - got
