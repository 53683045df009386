# A table given with a number and again without is that node, once, in any order: 1000 J.
cp "$TESTDATA/madengine/2.0/mi200/gpu_info_power_profiler_output.csv" p.csv
cp p.csv copy.csv
for o in '3=p.csv p.csv' 'p.csv 3=p.csv' 'copy.csv 3=p.csv' '3=p.csv 3=copy.csv' '3=p.csv 4=p.csv'; do
	echo "# $o"
	# shellcheck disable=SC2086
	powerstats -f csv --columns node,device,energy_j $o 2>&1
done
