# Where a terminal has no UTF-8, letters beyond ASCII are shown by their number, \u00e9.  A name that is too long is cut
# between such letters, not in one of them: half of it, \u00 or 0e9, would be another name.
export LC_ALL=C COLUMNS=100
{
	echo kind,rank,agent,queue,name,start_ns,end_ns
	awk 'BEGIN {
		for (i = 0; i < 30; i++) { one = one "a\303\251"; two = two "k\303\266ln_" }
		for (i = 0; i < 12; i++) print "kernel,0,4,1," substr(one, 1, 3 * 20) "_" i "_" two "," 1000 + 100 * i "," 1090 + 100 * i
	}'
} >run.csv
for columns in 100 90 80 70 60 50; do
	COLUMNS=$columns kstats top -q -n 1 run.csv | sed -n 2p | sed 's/.* //'
done
# None of them has a part of such a letter.
for columns in 100 99 98 97 96 95 94 93 92 91 90; do
	COLUMNS=$columns kstats top -q -n 0 run.csv | sed 1d | sed 's/.* //'
done | sed 's/\\u00e9//g; s/\\u00f6//g; s/[0-9]*_//' | grep -c '\\\|[0-9]' || true
