# Power every second, for the last time at 100003 s; the first kernel starts at 100001 s: the chart runs from -1 s to 2 s
# after it, not from 27.8 h to 27.8 h.  With -w, where tables have no such origin, it counts from the first reading.
readings() {
	echo '[{"ph":"X","pid":7,"tid":1,"ts":100000000000,"dur":500000,"name":"main","cat":"host","args":{}}'
	for s in 0 1 2 3; do
		printf ',{"ph":"C","pid":7,"ts":%d,"name":"GPU Power [0] (S)","args":{"value":%d}}\n' $((100000000000 + s * 1000000)) $((100 + 50 * s))
	done
}
{
	readings
	echo ',{"ph":"X","pid":7,"tid":2,"ts":100001000000,"dur":1000,"name":"k","cat":"rocm_kernel_dispatch","args":{"agent":1,"queue":1}}'
	echo ',{"ph":"X","pid":7,"tid":2,"ts":100001005000,"dur":1000,"name":"k","cat":"rocm_kernel_dispatch","args":{"agent":1,"queue":1}}]'
} >sys.json
tracereport -q -o page.html sys.json || exit
grep -o 'figcaption>Power[^<]*' page.html
grep -o '<title>[^<]* s: 1[^<]*</title>' page.html | head -1
tracereport -q -w 100001000000000..100003000000000 -o page.html sys.json || exit
grep -o 'figcaption>Power[^<]*' page.html
