# By hand, flops of one call: hipblaslt 2*4096*8192*1024, conv 2*128*64*56*56*64*3*3, gemm 2*4096*128*4096 and
# 2*512^3.  The profile counts 12 calls of rocBLAS, the bench lines 11 (one is torn): the 12 count.  The sum of
# all is 505463963648: 343597383680 of it are 67.9766 %.
ln -s "$TESTDATA/madengine/2.0/logs" logs
libperf top -f csv logs/node0.log
