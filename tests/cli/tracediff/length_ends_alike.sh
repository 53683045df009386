# B calls five kernels twice as often as A (100, 200 in all), "lo" as often (5, 5) and "hi" four times as often (3, 12): both
# are as far from 2.  They have 87.8 %, 4.9 % and 7.3 % of 1,025 us, so one of them can be left out of 90 %: the lighter one,
# lo.  So B may be 2 to 4 runs of A: of 340 us and 685 us, which is 101 % more, or half of it, 1 % more: inconclusive.
# Without hi instead, calls would be 1 to 2 times as often, which is no other length.  No sequence of kernels is a step.
run() { # MID LO HI
	awk -v n="$1 $2 $3" 'BEGIN { split(n, c, " "); split("mid lo hi", name, " ")
		for (k = 1; k <= 3; k++)
			for (i = 0; i < c[k]; i++) print (i * 7919 + k * 31337 + i * i * 37) % 10007, name[k] (k == 1 ? i % 5 : ""), k == 1 ? 3000 : 5000 }' |
		sort -n | awk 'BEGIN { t = 1000000; print "Kernel_Name,Start_Timestamp,End_Timestamp" } { print $2 "," t "," t + $3; t += $3 }'
}
run 100 5 3 >a.csv && run 200 5 12 >b.csv
tracediff -q -o out a.csv b.csv && tail -n 1 out
tracediff -q -o out b.csv a.csv && tail -n 1 out
