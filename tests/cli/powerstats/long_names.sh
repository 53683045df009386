# Lines of characters of two nodes whose paths differ in the middle: labels are shortened there, show the node and
# the device, and are four different ones at every width.  "1 to 3 W, 3 readings" has 20 columns: at 80 columns
# 80 - 20 - 4 of blanks - 24 for the readings = 32 are left for a label; at 60 12, so the least, 16; at 200 half
# of the line, in which all of it fits.  Before, a label was the first 30 bytes of the path.
for node in 0 1; do
	mkdir -p a_job_of_many_nodes_on_a_big_cluster/node$node
	{
		echo 'time,Power(Watt) GPU0,Power(Watt) GPU1'
		echo "2026-03-01 10:00:00.000000,1.0,$((node + 4))"
		echo "2026-03-01 10:00:00.100000,2.0,5.0"
		echo "2026-03-01 10:00:00.200000,3.0,9.0"
	} >a_job_of_many_nodes_on_a_big_cluster/node$node/gpu_info_power_profiler_output.csv
done
for width in 60 80 200; do
	COLUMNS=$width powerstats -q a_job_of_many_nodes_on_a_big_cluster >out
	head -n 4 out
done
