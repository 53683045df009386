# The limit is 3.5 times the median distance of rows; a stretch just as long is not longer.  Distances 1 1 1 3.5 1 and
# 1 1 1 3.500001 1 s, always 10 W: 75 J in 7.5 s, and 40 J in 4 s with a gap.
t() {
	printf 'time,Power(Watt) GPU0\r\n'
	for s in 00.000000 01.000000 02.000000 03.000000 "$1" "$2"; do
		printf '2026-03-01 10:00:%s,10.0\r\n' "$s"
	done
}
t 06.500000 07.500000 >even.csv
t 06.500001 07.500001 >odd.csv
powerstats -f csv even.csv
powerstats -f csv odd.csv
powerstats -f csv -q --gap 3.6 odd.csv
# Fewer seconds than the distance of the rows: nothing is covered, so there is no mean and no energy.
powerstats -f csv --gap 0.5 even.csv
