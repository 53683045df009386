# Tracks of rocprof-sys, in a trace of Chrome: readings of an instant, and a last 0 that is none.  GPU 0 goes from 100 to 300 W in
# 1 s and to 200 W in another: 200 + 250 = 450 J.  GPU 1 has no reading for 10 s, of a limit of 3.5: 1 s of 50 W and 1 s of 70 W.
track() { # NAME SECOND=VALUE...
	name=$1
	shift
	for r; do
		printf ',{"ph":"C","pid":7,"ts":%s,"name":"%s","args":{"value":%s}}\n' $((${r%=*} * 1000000)) "$name" "${r#*=}"
	done
}
trace() { # TRACK...
	echo '[{"ph":"X","pid":7,"tid":1,"ts":1000000,"dur":500000,"name":"main","cat":"host","args":{}}'
	cat
	echo ']'
}
{
	track 'GPU Current Power [0] (S)' 1=100 2=300 3=200 4=0
	track 'GPU [1] Power (S)' 1=50 2=50 12=70 13=70
	track 'GPU GFX Busy [0] (S)' 1=0 2=0 3=0
	track 'GPU Temperature [0] (S)' 1=55000 2=56000
	track 'GPU [1] gfx_clock' 1=2100000 2=2100000
	track 'CPU Memory Usage (S)' 1=5 2=6
	track 'GPU [1] VCN Activity [00] (S)' 1=5 2=6
	track 'power' 1=5 2=6
} | trace >sys.json
powerstats -f csv sys.json || exit
powerstats -q -f csv --what power --gap 20 --columns agent,gaps,duration_s,energy_j sys.json || exit
tracemerge -q -o run.db sys.json && powerstats -q -f csv sys.json >raw && powerstats -q -f csv run.db | cmp - raw || exit
tracemerge -q -o ranks.db 0=sys.json 1=sys.json && powerstats -q -f csv 0=sys.json 1=sys.json >raw && powerstats -q -f csv ranks.db | cmp - raw || exit
# Power a thousand times too small, and too large.
track 'GPU Power [0]' 1=0.3 2=0.7 | trace >small.json
track 'GPU Power [0]' 1=300000 2=700000 | trace >large.json
powerstats -f csv small.json || exit
powerstats -f csv --scale 1000 --columns mean,energy_j small.json || exit
powerstats -f csv --scale 0.001 --columns mean,energy_j large.json || exit
powerstats -f csv --columns mean,energy_j large.json || exit
# With a table beside it.
printf 'time,Power(Watt) GPU0\n2026-01-01 00:00:00,400\n2026-01-01 00:00:01,500\n' >t.csv
sed 's/2026/2025/' t.csv >u.csv
powerstats -f csv small.json t.csv 3=u.csv || exit
# Nothing of the kind, on traces and in a part of them; no power; a clock of its own.
powerstats "$TESTDATA/rocprofv3/7.0/run"; echo $?
powerstats -w +30s.. sys.json; echo $?
powerstats --by class sys.json; echo $?
track 'GPU GFX Busy [0] (S)' 1=5 | trace >busy.json
powerstats --by step busy.json; echo $?
powerstats --offset 5 sys.json; echo $?
powerstats -w 1.. sys.json t.csv; echo $?
powerstats -f json --what power --columns agent,mean small.json
