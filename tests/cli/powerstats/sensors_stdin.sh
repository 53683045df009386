# Standard input is a trace or a table, as its first bytes say: of a file, a pipe, and packed; the trace is also larger than what is
# looked at.  100 W to 300 W in 1 s: 200 J.
sensors() { # WORDS before
	echo '[{"ph":"X","pid":7,"tid":1,"ts":1000000,"dur":500000,"name":"main","cat":"host","args":{}}'
	seq -f ',{"ph":"X","pid":7,"tid":1,"ts":2000000,"dur":1,"name":"a name that is long enough to fill the pipe %.0f","cat":"host","args":{}}' "$1"
	printf ',{"ph":"C","pid":7,"ts":%d,"name":"GPU Power [0] (S)","args":{"value":%d}}\n' 1000000 100 2000000 300
	echo ']'
}
for n in 1 30000; do
	sensors $n >sys.json
	powerstats -q -f csv --columns agent,sensor,samples,energy_j <sys.json || exit
	powerstats -q -f csv sys.json >raw
	powerstats -q -f csv <sys.json | cmp - raw || exit
	# shellcheck disable=SC2002 # a pipe is meant
	cat sys.json | powerstats -q -f csv | cmp - raw || exit
	gzip -c sys.json | powerstats -q -f csv - | cmp - raw || exit
done
table=$TESTDATA/madengine/2.0/power/gpu_info_power_profiler_output.csv
powerstats -q -f csv "$table" >raw
# shellcheck disable=SC2002
cat "$table" | powerstats -q -f csv | sed 's/<stdin>/FILE/' >piped
powerstats -q -f csv <"$table" | sed 's/<stdin>/FILE/' | cmp - piped || exit
wc -l <piped
tar -cf - -C "${table%/*}" . | powerstats -q -f csv --what power --columns node,device,samples | head -2
echo nothing | powerstats; echo $?
powerstats </dev/null; echo $?
