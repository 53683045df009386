# 2 x 768 x 512 x 256 operations in 25 us are 8053.0637 GFLOP/s, and the client prints 8053.06.  MI300X: 163430.4 of f32 matrix, 4.9275 %;
# (768 x 256 + 512 x 256 + 768 x 512) x 4 bytes; under the roof it takes max(1.2319, 0.5441) us.
cp "$TESTDATA/rocblas/5.7/bench/gemm.txt" .
libperf roofline -f csv gemm.txt || exit
libperf roofline -q -f csv --gpu MI300X --columns gflops,printed_gflops,bytes,peak,peak_pct,memory_pct,bound,lost_us,gpu gemm.txt || exit
COLUMNS=120 libperf roofline -q -n 3 "$TESTDATA/hipblaslt/7.0/bench/tuned.txt" || exit
echo 'us' >none.csv
libperf roofline none.csv; echo $?
