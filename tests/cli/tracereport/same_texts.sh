# A marker and a kernel have the same text; the name of the kernel is without its quotes.  Which of them is read first
# makes no difference: the page, which asks for all at once, has the tables that kstats has alone.
kernels() {
	echo 'kernel,0,1,1,GPU 0,1,1,"""k""",1500,2500,kernel'
	echo 'kernel,0,1,1,GPU 0,1,2,k,3000,4000,kernel'
}
calls() {
	echo 'api,0,1,1,,,1,hipLaunchKernel,1100,1200,hip'
	echo 'api,0,1,1,,,2,hipLaunchKernel,2600,2700,hip'
	echo 'marker,0,1,1,,,,"""k""",1000,9000,marker'
}
head=kind,rank,pid,tid,agent,stream,corr,name,start_ns,end_ns,domain
{ echo $head; calls; kernels; } >first.csv
{ echo $head; kernels; calls; } >last.csv
for f in first last; do
	tracereport -q -o $f.html $f.csv || exit
	for t in classes launch gaps-list; do
		sed -n "/^\"$t\":/,/\]\]/p" $f.html | sed -n 's/^\[.*"\(other\|k\|"k"\)".*/&/p'
	done
done
