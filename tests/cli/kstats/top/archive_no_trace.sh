# An archive in which nothing is a trace.
echo hello >log.txt
tar -cf t.tar log.txt
kstats top -f csv --name base t.tar
# What another tool reads is named, wherever it is packed.
echo 'hipblaslt-Gflops' >junk.txt
tar -C "$TESTDATA" -cf logs.tar rocblas/6.4/bench/gemm.txt
zip -q both.zip junk.txt logs.tar
kstats top logs.tar
kstats both.zip
kstats top - <logs.tar
