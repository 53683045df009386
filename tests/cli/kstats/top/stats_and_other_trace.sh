# Trace and statistics in two directories are two runs: added up, which is said. Calls and totals
# double; stddev is that of the doubled values (gemm: n = 4, sqrt(4 x 10^8 / 3)).
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/run data/rocprofv3/7.0/stats
