# one: seven repeats against seven, 4 % apart, all of NEW above all of BASE.  Exact U: one of the C(14, 7) = 3432
# arrangements, in both directions: p = 2 / 3432 = 0.000583, below 0.005, and 4 % is above 3 %: slower.
# two: always the same on each side.  What never varies shows no noise, so 4 % would have to be above 6 %.
# three: 16 values that rise all the time, 6 % lower in BASE: repeats that depend on each other are worth few.
{
	echo kernel,us
	for us in 97 98 99 100 101 102 103; do echo "one,$us"; done
	for us in 100 100 100 100; do echo "two,$us"; done
	for i in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16; do echo "three,1$i"; done
} >base.csv
{
	echo kernel,us
	for us in 103.4 103.6 103.8 104 104.2 104.4 104.6; do echo "one,$us"; done
	for us in 104 104 104 104; do echo "two,$us"; done
	for i in 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22; do echo "three,1$i"; done
} >new.csv
libperf compare -q -f csv --columns problem,status,base_us,new_us,significant,note --key kernel base.csv new.csv
