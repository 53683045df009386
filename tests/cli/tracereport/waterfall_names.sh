# Two kernels whose names differ in the middle alone, 20 letters from both ends: their bars from A to B, and the titles of
# the picture of the kernels, tell them apart.  One takes 3 us more, the other 2 us.
x=xxxxxxxxxxxxxxxxxxxx
for k in a4000:5000 b7000:10000; do
	times=${k#?}
	printf 'kind,rank,agent,queue,corr,name,start_ns,end_ns\nkernel,0,4,1,1,%s,1000,%s\nkernel,0,4,1,2,%s,%s,%s\n' "k$x$x$x$x$x-red-$x$x$x$x$x" \
		"${times%:*}" "k$x$x$x$x$x-sum-$x$x$x$x$x" "${times%:*}" "${times#*:}" >"${k%%[0-9]*}.csv"
done
tracereport -q -o page.html --baseline a.csv b.csv || exit
grep -o '^<span>busy[^<]*' page.html
sed -n '/class="chart"/s/<title>/\n&/gp' page.html | grep -o '^<title>[^<]*'
