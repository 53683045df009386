# 9.9 % slower is more than 5.
cd "$TESTDATA/hipblaslt/7.0/bench" || exit 2
libperf compare -q -f csv --columns problem,status,speedup --fail-over 5 default.txt tuned.txt
