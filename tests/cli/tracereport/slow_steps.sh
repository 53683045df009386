# A slow step is outlined in the columns of the steps: step 7 of 12 takes five times as long as the others.
awk 'BEGIN {
	print "kind,rank,agent,tid,corr,name,start_ns,end_ns"
	for (i = 1; i <= 12; i++) {
		at += 10000
		long = i == 7 ? 50000 : 8000 + i
		printf "marker,0,,7,,step %d,%d,%d\napi,0,,7,%d,hipLaunchKernel,%d,%d\nkernel,0,4,,%d,k,%d,%d\n", i, at, at + long, i, at, at + 100, i, at + 200, at + long - 1000
		at += long
	}
}' >run.csv
kstats steps -q -f csv --columns step,slow run.csv | grep -v ',$'
tracereport -q -o page.html run.csv || exit
grep -o '<rect class="f-conv mark"[^/]*/title>' page.html | sed 's/ x=.*<title>/ /'
