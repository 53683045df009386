# The time of each GPU is drawn with fewer parts where GPUs are many, so that the page of a rank stays below 1 MiB: each
# of 40 works for 1,000 ns, is idle for 2,000 and works for 1,000, which are 64, 128 and 64 of 256 columns, and 512 parts for
# the script, a quarter of them full (128 bytes 255, 255 255 255 is //// in base64); each of 2 has 512 columns and 2,048 parts.
for gpus in 40 2; do
	awk -v gpus=$gpus 'BEGIN {
		print "kind,rank,agent,queue,name,start_ns,end_ns"
		for (g = 0; g < gpus; g++) {
			printf "kernel,0,GPU %d,1,first,1000,2000\n", g
			printf "kernel,0,GPU %d,1,second,4000,5000\n", g
		}
	}' >run.csv
	tracereport -q -o page.html run.csv
	grep -o '<path class="f-gemm" d="M[^"]*"' page.html | sort | uniq -c | awk '{ $1 = $1 } 1'
	grep -o '"bins":[0-9]*,"parts":{"gemm":"/*[^/]' page.html | sort | uniq -c |
		awk '{ n = gsub("/", "/"); print $1, substr($2, 1, 11), n " slashes" }'
done
