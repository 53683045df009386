# A flame graph has all frames, however deep: 100 of one path, each 18 high.  Where 200 paths of 60 frames take 0.5 % each, there
# is no room for all of them, and the outermost are drawn; the caption says how many.
deep() { # PATHS FRAMES
	awk -v paths="$1" -v frames="$2" 'BEGIN {
		print "kind,rank,agent,tid,corr,domain,name,start_ns,end_ns"
		for (p = 1; p <= paths; p++) {
			for (i = 1; i <= frames; i++)
				printf "marker,0,,7,,marker,path %dx%d,%d,%d\n", p, i, at + i, at + 10000 - i
			printf "api,0,,7,%d,hip,hipLaunchKernel,%d,%d\nkernel,0,4,,%d,kernel,k,%d,%d\n", p, at + 1000, at + 1100, p, at + 1200, at + 9000
			at += 20000
		}
	}' | sed 's/path \([0-9]*\)x\([0-9]*\)/p\1x\2/' >run.csv
	tracereport -q -o page.html run.csv || exit
	grep -o '<svg class="flame" viewBox="[^"]*"' page.html
	grep -o 'a frame is as wide as its time[^<]*<' page.html
	grep -c '<g><rect' page.html
	test "$(wc -c <page.html)" -lt 1048576 && echo 'less than 1 MiB'
}
deep 1 100
deep 200 60
