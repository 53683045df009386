# Every way to write a number, and to write none: 1 + 1.35e2 + 3 W + .5 + 7, six ways to say nothing, and then
# what is no power: negative, text, too large, two points, a bare point.
{
	echo 'TimeStamp, Power (W) GPU_7 ,note'
	i=10
	for v in 1 1.35e2 '3 W' 00.5 '"7"' N/A '' nan None null - -1 12x 1000001 1.2.3 . ; do
		echo "2026-03-01T10:00:$i,$v,\"x, y\""
		i=$((i + 1))
	done
} >cells.csv
powerstats -f csv cells.csv
powerstats -f csv -q --strict cells.csv; echo $?
# Six decimals count, the seventh rounds: 0.0000014 + 0.0000015 is 1 + 2 millionths; a second at 1.5 microwatts.
printf 'time,Power(Watt) GPU0\n2026-03-01 10:00:00,0.0000014\n2026-03-01 10:00:01,0.0000015\n' >tiny.csv
powerstats -f csv -q --scale 1000000 tiny.csv
