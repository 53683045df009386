# --classes without a trace is about nothing: told, not ignored.
printf 'time,Power(Watt) GPU0\n0,1\n1,1\n' >power.csv
powerstats --classes /nonexistent power.csv
