# Rows of send-receive and of all-reduce differ in what a byte is to the buses: 1, or 14/8 on 8 ranks.  Rates of 8 bytes
# are printed as 0.00, which fits both, so the larger size of the table tells.  On two ranks it is 1 for both, and they
# cannot be told apart; nor can 8 bytes alone.
table() { # RANKS BUS_FACTOR BYTES...
	ranks=$1 factor=$2
	shift 2
	echo "# nThread 1 nGpus $ranks minBytes 8 maxBytes 1048576"
	for rank in $(seq 0 $((ranks - 1))); do echo "#  Rank  $rank Group  0 Pid  1 on node device  $rank [0x05] GPU"; done
	echo "#       size         count      type   redop    root     time   algbw   busbw #wrong"
	for bytes in "$@"; do
		echo "$bytes $factor" | awk '{ a = $1 / 50e3; printf "%d %d float sum -1 50.00 %.2f %.2f 0\n", $1, $1 / 4, a, a * $2 }'
	done
}
{
	table 8 1 8 1048576
	table 8 1.75 16 2097152
	table 2 1 32 4194304
	table 8 1 64
	table 8 1.75 8388608
	table 8 1 8388608
} >log
sed 's/ 50.00 / 50.01 /' log >new
libperf compare -f csv --columns op,problem log new
