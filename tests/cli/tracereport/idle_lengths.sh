# Gaps of one GPU are drawn by their length: of the one that was idle longest, which the caption names.  Agent 4 has one gap
# of 1 us, agent 5 two of 3 us: 6 us in the one column from 2.048 us to 4.096 us.
{
	echo kind,rank,agent,queue,corr,name,start_ns,end_ns
	echo kernel,0,4,1,1,work,1000,6000
	echo kernel,0,4,1,2,work,7000,12000
	for i in 0 1 2; do echo "kernel,0,5,1,$i,work,$((1000 + i * 4000)),$((2000 + i * 4000))"; done
} >two.csv
tracereport -q two.csv | grep -o '<figcaption>Idle[^<]*'
# One GPU needs no name.
grep -v ',0,5,' two.csv >one.csv
tracereport -q one.csv | grep -o '<figcaption>Idle[^<]*'
