# One rank with two GPUs, which come to a collective 5 us apart: the table says who was last, a map with a line for each
# rank would say nothing.
{
	echo kind,rank,agent,queue,corr,name,start_ns,end_ns
	echo 'kernel,0,4,1,1,ncclDevKernel_Generic(x),1000,31000'
	echo 'kernel,0,5,1,2,ncclDevKernel_Generic(x),6000,31000'
} >one.csv
tracereport -q one.csv >page.html
grep -c '<table id="t-collectives-ranks"' page.html
grep -c 'Who came last to collectives' page.html
# Nothing is drawn of GPUs whose window has no length; they are not said to be unknown.
printf 'kind,rank,agent,queue,corr,name,start_ns,end_ns\nkernel,0,4,1,1,work,1000,1000\n' >none.csv
tracereport -q none.csv >page.html
grep -o '<p class="dim">The window[^<]*' page.html
grep -o '<span>[^<]* ns</span>' page.html
