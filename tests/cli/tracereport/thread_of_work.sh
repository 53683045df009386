# The call has no thread, but the kernel has one, on which no marker is open: kstats regions looks at that, kstats ops does
# not.  On the page, which asks for both at once, each is as it is alone.
cat >t.csv <<'END'
kind,rank,pid,tid,agent,stream,corr,name,start_ns,end_ns,domain
api,0,1,,,,1,hipLaunchKernel,1100,1200,hip
kernel,0,1,1,GPU 0,1,1,k,1500,2500,kernel
marker,0,1,2,,,,other thread,1000,3000,marker
END
tracereport -q -o page.html t.csv || exit
for t in ops regions; do
	sed -n "/^\"$t\":/,/\]\]/p" page.html | sed 1d
	kstats $t -q -f csv t.csv
done
