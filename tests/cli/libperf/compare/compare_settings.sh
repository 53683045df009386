# Not measured the same way, on another device, with another solution: said, and compared all the same.
cd "$TESTDATA/hipblaslt/7.0/tuning" || exit 2
sed -e 's/,512,0,1,/,0,1,0,/; s/gfx942/gfx950/; s/,304$/,256/; s/0123456789/abcdef/; s/,1007,/,9,/' \
	tune_gemm_results.txt >"$TMPDIR/other.txt"
libperf compare -f csv --columns problem,status,base_us,new_us,note "$TMPDIR/other.txt" tune_gemm_results.txt
status=$?
rm "$TMPDIR/other.txt"
exit $status
