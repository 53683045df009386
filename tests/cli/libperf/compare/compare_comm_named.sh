# All-reduce of which one log has the name and the other has not, and nothing in the other tells it from send-receive (two
# ranks; 8 bytes alone): it is the same problem, as long as only one of the two is there.  26 us, then 20 us: speedup 1.3.
table() { # RANKS BUS_FACTOR US BYTES...
	ranks=$1 factor=$2 us=$3
	shift 3
	for rank in $(seq 0 $((ranks - 1))); do echo "#  Rank  $rank Group  0 Pid  1 on node device  $rank [0x05] GPU"; done
	echo "#       size         count      type   redop    root     time   algbw   busbw #wrong"
	for bytes in "$@"; do
		echo "$bytes $factor $us" | awk '{ a = $1 / $3 / 1e3; printf "%d %d float sum -1 %.2f %.2f %.2f 0\n", $1, $1 / 4, $3, a, a * $2 }'
	done
}
named() { echo "# Collective test starting: $1_perf"; }
table 2 1 26 8 1048576 >base
{ named all_reduce; table 2 1 20 8 1048576; } >new
libperf compare -q -f csv --columns op,problem,status,speedup base new
libperf best -q -f csv --columns problem,margin_pct base new
table 8 1.75 26 8 16 >small
table 8 1.75 20 8 16 1048576 >larger
libperf compare -q -f csv --columns op,problem,status,speedup small larger
# Of both names, nothing says which it is; nor in a file that has the name of one beside what has none.
{ named all_reduce; table 2 1 20 8; named sendrecv; table 2 1 20 8; } >both
libperf compare -q -f csv --columns op,problem,status base both
{ table 2 1 26 8; named all_reduce; table 2 1 20 8; } >beside
libperf compare -q -f csv --columns op,problem,status,speedup beside new
# A row whose rates fit nothing does not take the name of the others: 1 MiB says that they are all-reduce, or send-receive.
for factor in 1.75 1; do
	table 8 $factor 26 8 1048576 2097152 >fits
	sed '/^2097152/s/ [0-9.]* 0$/ 99.00 0/' fits >odd
	libperf compare -q -f csv --columns op,problem,status fits odd
done
