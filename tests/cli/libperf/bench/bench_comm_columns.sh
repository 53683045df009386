# Tables of rccl-tests with columns that are printed on request: a time stamp of two words or the number of iterations
# at the end of a line, more columns behind each measurement, and the time of the host for that of the GPUs.  All are the
# same 1 MiB on 8 ranks: 50 us, 1048576 / 50e3 = 20.97 GB/s, times 2 * 7 / 8 = 36.70; and 51 us, 20.56, 35.98.
# A header that is none of these is counted with what is skipped; its rows are none.
table() { # FILE TIME-COLUMN AFTER-WRONG AT-END AFTER-0 AT-END
	{
		echo '# Collective test starting: all_reduce_perf'
		for rank in 0 1 2 3 4 5 6 7; do echo "#  Rank  $rank Group  0 Pid  $rank on node device  $rank [0x05] GPU"; done
		echo "#  size  count  type  redop  root  $2 algbw busbw #wrong $3 $2 algbw busbw #wrong $3 $4"
		echo "1048576 262144 float sum -1 50.00 20.97 36.70 0 $5 51.00 20.56 35.98 0 $5 $6"
	} >"$1"
}
table stamp.log time '' timestamp '' '2026-11-29 10:00:00'
table iters.log time '' '#iters' '' 20
table per_call.log time '#bitdiff i_min i_max i_p99 i_cv%' timestamp '0 49.1 52.0 51.9 0.8' '2026-11-29 10:00:00'
table host.log cputime '' '' '' ''
table other.log latency '' '' '' ''
for log in stamp iters per_call host; do libperf bench -q -f csv $log.log; done
sed 's/^/10:00:00 INFO /' stamp.log | libperf bench -q -f csv -
cat stamp.log other.log | libperf bench -f csv -
libperf compare -q -f csv --columns status,problem iters.log host.log
