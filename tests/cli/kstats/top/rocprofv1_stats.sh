# rocprof v1 statistics have five columns: no extremes, no deviation. hsa_stats ends with
# hsa_dispatch, which takes no time.
ln -s "$TESTDATA" data
set -e
cd data/rocprofv1/6.2/stats
kstats top -f csv results.stats.csv
kstats top -f csv --domain hip results.hip_stats.csv
kstats top -f csv --domain hsa results.hsa_stats.csv
kstats top -f csv --domain copy results.copy_stats.csv
