# Idle time by length is that of one GPU alone, of the one that was idle longest: four gaps of 100 us, 400 us together.
# Those of the other, of 1 us each, are no columns of it: only the table has them.
for gpu in 0 1; do
	awk -v gpu=$gpu -v gap=$((gpu ? 100000 : 1000)) 'BEGIN {
		if (!gpu)
			print "kind,rank,pid,agent,stream,name,start_ns,end_ns,domain"
		for (i = 0; i < 5; i++)
			printf "kernel,0,7,GPU %d,1,k%d,%d,%d,kernel\n", gpu, i, 1000 + i * (500 + gap), 1500 + i * (500 + gap)
	}'
done >run.csv
tracereport -q run.csv >page.html || exit
sed -n '/Idle time of rank 0, agent GPU 1,/s/<rect/\n<rect/gp' page.html | grep -o '^<rect.*<.rect>'
