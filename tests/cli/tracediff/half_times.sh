# Times in the words below the verdict are rounded as those of the tables: the window of B is 2,463,500 ns, 2.464 ms.
for side in a:2374000 b:2463500; do
	{
		echo kind,rank,agent,queue,name,start_ns,end_ns
		echo "kernel,0,4,1,work,1000,$((${side#*:} - 99000))"
		echo "kernel,0,4,1,work,$((${side#*:} - 9000)),$((${side#*:} + 1000))"
	} >${side%:*}.csv
done
tracediff -q a.csv b.csv | sed -n 2p
tracediff -q -f csv --columns total_a_ns,total_b_ns a.csv b.csv | tail -n 1
tracereport -q --baseline a.csv -o page.html b.csv
grep -o 'ms -&gt; 2.46[34] ms\|<td[^>]*>2.46[34] ms' page.html | sort -u
