# Percentages and averages that the profiler computes of each dispatch do not add up: VALUBusy of 20 and 40 percent has
# the mean 30 and no sum, MeanOccupancyPerCU of 8 and 12 waves the mean 10; Wavefronts and FetchSize do add up.  A file
# of formulas can say so of another one.
{
	echo Dispatch_Id,Agent_Id,Kernel_Name,Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp
	for i in 1 2; do
		at="$i,Agent 1,k" times="${i}000,${i}500"
		echo "$at,VALUBusy,$((20 * i)),$times"
		echo "$at,MeanOccupancyPerCU,$((4 + 4 * i)),$times"
		echo "$at,VALUInsts,$((100 * i)),$times"
		echo "$at,Wavefronts,64,$times"
		echo "$at,FetchSize,10,$times"
		echo "$at,Own,5,$times"
	done
} >app_counter_collection.csv
printf 'Own\taverage\tpercent\t*\t-\n' >own.tsv
kstats counters -q -f csv --columns counter,sum,mean,min,max,unit app_counter_collection.csv
kstats counters -q -f csv --formulas own.tsv --columns counter,sum,mean,min,max,unit app_counter_collection.csv | grep Own
