# A header of 100,000 devices is 1.8 MB in one line: a table like any other.  Device n draws n W in both
# samples, a second apart, so the last one draws 99999 W and 99999 J.
awk 'BEGIN {
	row = "timestamp"
	for (i = 0; i < 100000; i++) row = row ",Power(Watt) GPU" i
	print row
	for (s = 0; s < 2; s++) {
		row = "2025-01-01 00:00:0" s
		for (i = 0; i < 100000; i++) row = row "," i
		print row
	}
}' >wide.csv
powerstats -q -f csv -n 0 --columns device,samples,mean_w,energy_j wide.csv >out; echo $?
wc -l <out; head -n 2 out; tail -n 1 out
