# A program printed a line like the header of a library_trace.csv before the log: by content it is such a table,
# with a row that is none.  --from tells what it is; a log is no table, and a sub-command says what it reads.
printf '%s\n' library,config,calls \
	'./rocblas-bench -f gemm -r f32_r --transposeA N --transposeB N -m 8 -n 8 -k 8 --alpha 1 --lda 8 --ldb 8 --beta 0 --ldc 8' >log
libperf trace log
echo "status $?"
libperf trace --from library-log log
echo "status $?"
tail -n 1 log | libperf trace --from library-trace -
echo "status $?"
libperf trace --from library-bench log
echo "status $?"
libperf best --from library-log log
