# Milliwatts: more than 10 kW is pointed out, and with --scale 0.001 it is 300 W for 1 s, then (300 + 500) / 2 W
# for 1 s: 300 + 400 = 700 J.  9999 W are not in doubt.
printf 'time,Power(Watt) GPU0,Power(Watt) GPU1\n2026-06-12 09:30:00.000000,300000,9999\n' >mw.csv
printf '2026-06-12 09:30:01.000000,300000,9999\n2026-06-12 09:30:02.000000,500000,9999\n' >>mw.csv
powerstats -f csv mw.csv
powerstats -f csv --scale 0.001 mw.csv
