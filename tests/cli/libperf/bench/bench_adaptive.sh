# Adaptive timing brings columns, known by their names.
cd "$TESTDATA/hipblaslt/7.2/bench" || exit 2
libperf bench --columns line,us,hot_iters,median_us,min_us,cv,status adaptive.txt
