# Four processes and a program in one log.  By hand, and by grep -c over the lines:
# rocblas 8 + 1 (another solution) + 2 of 12 records, one is torn; hipblaslt 5 of 7, one torn, one an echo of a
# shell; rocblas_function 3 + 3 + 2 + 2 and 1 + 1 calls; 9 commands of MIOpen are 4 finds, 4 convolutions and
# 1 normalization; 5 + 1 kernels of Tensile; 4 of 5 collectives, one is torn.
ln -s "$TESTDATA/madengine/2.0/logs" logs
libperf trace logs/node0.log >out; echo $?
tr '\r' '!' <out
