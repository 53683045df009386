# Weighted by 10, 100, 16000 and 7 calls (512 and 2048 are not called, 256 once):
#   saved 10*100 = 1000, 100*-1, 16000*-10 = -160000, 7*-0.3 = -2.1
#   total 10*300 + 100*40 + 16000*101 + 7*5 = 1623035, then 2000 + 4100 + 1776000 + 37.1 = 1782137.1
# A twice as fast gemm is nothing beside 10 % of one that is called 16000 times.
cd "$TESTDATA" || exit 2
libperf compare -f csv --trace madengine/2.0/library/library_trace.csv hipblaslt/7.0/bench/default.txt \
	hipblaslt/7.0/bench/tuned.txt
