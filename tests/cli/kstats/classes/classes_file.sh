# --classes replaces the built-in rules; what no rule knows is other.
ln -s "$TESTDATA" data
printf '# mine\nmine\tvecAdd\n\nyours\tgemm\r\n' >rules.tsv
kstats top -f csv --name base --columns name,class --classes rules.tsv data/rocprofv3/7.0/run/app_kernel_trace.csv
