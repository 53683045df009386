# For people.
cd "$TESTDATA/hipblaslt/7.0/bench" || exit 2
libperf compare default.txt tuned.txt
