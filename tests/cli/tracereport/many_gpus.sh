# 1,024 GPUs have a map, which the time budget refers to; 1,025 have none, and it says nothing of one.
for n in 1024 1025; do
	seq 0 $((n - 1)) | awk 'BEGIN { print "kind,rank,agent,queue,corr,name,start_ns,end_ns" }
		{ printf "kernel,0,%d,1,1,work,1000,2000\n", $1 }' >gpus.csv
	tracereport -q gpus.csv >page.html
	grep -o '<p>[^<]*\(one picture\|the map\)[^<]*' page.html
	grep -c 'class="heat"' page.html || true
done
