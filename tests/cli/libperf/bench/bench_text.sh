# Sorted by a column of the file: as numbers, the largest first.
cd "$TESTDATA/hipblaslt/7.0/bench" || exit 2
libperf bench -f text -s us --columns line,m,n,k,us,solution_index tuned.txt
