# Sensors over time: 119 ns in parts of 1 ns.  100 W at the beginning and 219 W at the end: the n-th has 100.5 + n W, and the last
# instant is of the last part.  Nothing is known of a part that lies in a gap.
track() { # NAME SECOND=VALUE...
	name=$1
	shift
	for r; do
		printf ',{"ph":"C","pid":7,"ts":%s,"name":"%s","args":{"value":%s}}\n' "${r%=*}" "$name" "${r#*=}"
	done
}
{
	echo '[{"ph":"X","pid":7,"tid":1,"ts":1,"dur":1,"name":"main","cat":"host","args":{}}'
	track 'GPU Power [0]' 1=100 1.119=219
	track 'GPU GFX Busy [1]' 1=50 1.001=50 1.002=50 1.1=70 1.101=70
	echo ']'
} >t.json
powerstats -q -f csv --chart t.json >chart || exit
sed -n '1,3p;119,121p' chart
grep busy chart | grep -v ',,' || exit
powerstats --chart --by step t.json; echo $?
powerstats --chart "$TESTDATA/madengine/2.0/power"; echo $?
# A folder with a table and a trace: the table, unless sensors are asked for.
mkdir both && cp t.json both && cp "$TESTDATA/madengine/2.0/power/gpu_info_power_profiler_output.csv" both || exit
powerstats -q -f csv --columns device,samples both || exit
powerstats -q -f csv --what sensors --columns agent,sensor,samples both || exit
# The page of a run has them where there are any.
tracereport -q "$TESTDATA/rocpd/3.0.0/rocprof-sys" | grep -c 'id="power"\|id="t-sensors"\|id="t-energy"'
tracereport -q "$TESTDATA/rocprofv3/7.0/run" | grep -c 'id="power"'
