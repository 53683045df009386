# Shares in sentences are rounded as those of tables: 2 ns of 3 are 66.67 %, and so are 20 of 30 equal kernels.
head=kind,rank,agent,name,start_ns,end_ns
printf '%s\n' $head kernel,0,1,k,1000,1001 kernel,0,1,k,1002,1003 kernel,0,2,k,1000,1003 >in.csv
kstats summary -q -f csv in.csv | grep busy_pct
{
	echo $head
	for i in $(seq 30); do
		echo "kernel,0,1,k$i,$((1000 * i)),$((1000 * i + 100))"
	done
} >many.csv
kstats top many.csv 2>&1 | grep rows
