# Measurements amid the output of a program, and the same alone: one and the same.
sed 's/^/    /' "$TESTDATA/hipblaslt/7.0/tuning/tune_gemm_results.txt" |
	awk '{ print; print "step " NR ", loss 2.5, tokens/s 123.4, lr 1e-4, a, b, c" }' >noisy.log
libperf best -q -f csv --columns problem,us noisy.log >a
libperf best -q -f csv --columns problem,us "$TESTDATA/hipblaslt/7.0/tuning" >b
cmp a b
