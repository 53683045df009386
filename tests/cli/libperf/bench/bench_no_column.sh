# A column that no file has is a usage error, although only the files know.
cd "$TESTDATA/hipblaslt/7.0/bench" || exit 2
libperf bench --columns line,uss tuned.txt
