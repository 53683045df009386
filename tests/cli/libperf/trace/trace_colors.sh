# A call that ends in the sequence that turns a color off, or after a progress bar, is whole: three calls of
# one text.  One with a color inside may be two halves, and is skipped.
call='./rocblas-bench -f gemm -r f32_r --transposeA N --transposeB N -m 64 -n 64 -k 64 --lda 64 --ldb 64 --ldc 64'
printf '\033[36m(pid=12)\033[0m %s\033[0m\033[K\n 10%%|#\r%s\r\n%s\n' "$call" "$call" "$call" >log.txt
printf './rocblas-bench -f gemm -r f32_r -m 6\033[1m4\033[0m -n 64 -k 64\n' >>log.txt
libperf trace log.txt
