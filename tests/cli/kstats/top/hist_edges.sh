# A row of a histogram ends where the next one begins, in the same digits: 896 ns has three after the point in us, so
# 1,024 ns is 1.024 in both columns.
{
	echo 'kind,rank,pid,agent,queue,stream,corr,name,start_ns,end_ns,domain'
	for ns in 900 1100 80000; do
		at=$((at + 100000))
		echo "kernel,0,7,4,1,1,,work,$at,$((at + ns)),kernel"
	done
} >in.csv
kstats top -q --hist work in.csv | awk 'NR > 2 && $1 != was { print "row " NR " begins at " $1 ", not at " was } { was = $2 }'
kstats top -q --hist work in.csv | sed -n 2p
