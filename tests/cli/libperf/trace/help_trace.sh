# --help of a sub-command, also behind other options.
libperf trace --help >long
libperf trace -n 3 -h missing.csv | cmp - long
cat long
