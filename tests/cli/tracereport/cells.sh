# Headings have a unit where cells have none: energy is in J, and speed in GB/s.
{
	echo '[{"ph":"X","pid":7,"tid":2,"ts":1000000,"dur":1000,"name":"k","cat":"rocm_kernel_dispatch","args":{"agent":1,"queue":1}}'
	for s in 0 1; do printf ',{"ph":"C","pid":7,"ts":%d,"name":"GPU Power [0] (S)","args":{"value":100}}\n' $((1000000 + s * 1000000)); done
	echo ']'
} >sys.json
tracereport -q sys.json | grep -o '<th [^>]*title="energy_j[^<]*<'
# What it was in the baseline is below the number and its bar, so that numbers stay in a column.
for k in a5000 b3000; do
	printf 'kind,rank,agent,queue,corr,name,start_ns,end_ns\nkernel,0,4,1,1,k1,1000,2000\nkernel,0,4,1,2,k2,2000,%s\n' \
		"${k#?}" >"${k%%[0-9]*}.csv"
done
tracereport -q --baseline a.csv b.csv | grep -o '^<tr><td class="x">.*k1.*' | grep -o '<td>50.00%<svg.*' | sed 's/<svg[^/]*\/><\/svg>/BAR/;s/<.td>.*//'
# A baseline of two files is none of tracediff's operands: there is no command for the 201 kernels, and none is announced.
seq 1 201 | awk 'BEGIN { print "kind,rank,agent,queue,corr,name,start_ns,end_ns" }
	{ printf "kernel,0,4,1,%d,k%d,%d,%d\n", $1, $1, $1 * 1000, $1 * 1000 + 500 }' >many.csv
sed 's/^kernel,0/kernel,1/;s/500$/600/' many.csv >more.csv
sed 's/500$/700/' many.csv >b0.csv
sed 's/500$/700/' more.csv >b1.csv
tracereport -q --baseline many.csv --baseline more.csv b0.csv b1.csv | grep -A1 -o '^</tbody>.*\|^<p class="more">.*' | grep -o '[0-9]* of [0-9]* rows[^<]*' | sort | uniq -c
