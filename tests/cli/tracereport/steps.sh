# Steps as columns: all 1,200 of them, of three the longest in each column, 400 columns; slow ones are outlined.  Step 1100 is
# five times as long, and the only one that is slow, of 1099 to 1101.
awk 'BEGIN {
	print "kind,rank,agent,tid,corr,name,start_ns,end_ns"
	for (i = 1; i <= 1200; i++) {
		at += 10000
		long = i == 1100 ? 50000 : 8000 + i
		printf "marker,0,,7,,step %d,%d,%d\napi,0,,7,%d,hipLaunchKernel,%d,%d\nkernel,0,4,,%d,k,%d,%d\n", i, at, at + long, i, at, at + 100, i, at + 200, at + long - 1000
		at += long
	}
}' >run.csv
steps() {
	kstats steps -q -f csv --columns step,slow "$1" | grep -v ",\$"
	tracereport -q -o page.html "$1" || exit
	grep -o '<svg class="chart"[^>]*step[^>]*>.*' page.html | grep -o '<rect class="f-conv[^"]*"' | sort | uniq -c | sed 's/^ *//'
	grep -o '<rect class="f-conv mark".*' page.html | sed 's/<\/rect>.*//; s/ x=.*<title>/ /'
	grep -o '[^>]* steps* of the first rank[^<]*' page.html | sort -u
}
steps run.csv
head -n 1501 run.csv >some.csv # 500
steps some.csv
