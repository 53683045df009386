# The same with --strict: what was left out is an error.
cd "$TESTDATA/hipblaslt/6.1/bench" || exit 2
libperf bench --strict --columns line,us old.txt
