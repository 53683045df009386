# A table of measurements may have any number of columns: 3 of the problem, 600 more and the rate, and the two that
# say where a row is from, are 606; the last of the 600 is 599 times the row.
awk 'BEGIN {
	printf "M,N,K"
	for (i = 0; i < 600; i++)
		printf ",c%d", i
	print ",TFLOPS"
	for (r = 1; r <= 3; r++) {
		printf "64,%d,8", r
		for (i = 0; i < 600; i++)
			printf ",%d", i * r
		printf ",%d.5\n", 100 * r
	}
}' >wide.csv
libperf bench -f csv wide.csv >out.csv
awk -F, '{ print NF, $1, $4, $605, $606 }' out.csv
libperf bench -f csv --columns c599,N -s N wide.csv
libperf bench --columns c59x wide.csv
