# Trace and statistics in two directories that agree in three names only, which may be by chance, are two runs: added up, which
# is said. Calls and totals double; stddev is that of the doubled values (gemm: n = 4, sqrt(4 x 10^8 / 3)).
ln -s "$TESTDATA" data
mkdir stats && cp data/rocprofv3/7.0/stats/app_kernel_stats.csv stats
kstats top -f csv data/rocprofv3/7.0/run stats
