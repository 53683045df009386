# Where readings are missing no energy is given to anybody, and how much work that hits is said.  100 W always, a gap from
# 1 s to 6 s; the kernel runs from .5 s to 7.5 s: [.5,1) and [6,7.5) are covered, 2 s and 200 J, the other 5 s are not.
m=$TESTDATA/madengine/2.0/energy
printf 'time,Power(Watt) GPU0\n' >p.csv
for s in 00 01 06 07 08; do echo "2026-03-01 10:00:$s.000000,100.0" >>p.csv; done
{ head -n 1 "$m/app_kernel_trace.csv"; sed -n 2p "$m/app_kernel_trace.csv" | sed 's/1000000000,1500000000/500000000,7500000000/'; } >t.csv
powerstats -f csv --trace t.csv --offset 0 p.csv
