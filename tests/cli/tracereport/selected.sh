# A page of a part of a run says so in its head, since who gets it does not see the command; that of a whole run does not.
{
	echo kind,rank,agent,queue,corr,name,start_ns,end_ns
	for i in 1 2 3 4; do echo "kernel,0,4,1,$i,work,$((i * 1000)),$((i * 1000 + 500))"; done
} >in.csv
tracereport -q in.csv | grep -c "<p>Options:" || true
tracereport -q -w '1500..3500' --rank 0 in.csv | grep -o '<p>Options:.*'
tracereport -q --rank-from 'a"(b)|in' -w 0%..50% in.csv | grep -o '<p>Options:.*'
# Standard input has no name.
tracereport -q - <in.csv | grep -o '<h1>.*\|<li><code>.*'
