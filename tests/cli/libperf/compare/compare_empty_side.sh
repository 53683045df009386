# A side without a measurement is no win for the other.
cd "$TESTDATA/hipblaslt/7.0/bench" || exit 2
head -n 11 tuned.txt | libperf compare -f csv tuned.txt -
