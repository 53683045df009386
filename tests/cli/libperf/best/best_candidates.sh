# Every solution of one file is a candidate: 9.25 us (49257) before 12.5 us.
cd "$TESTDATA/hipblaslt/6.3/bench" || exit 2
libperf best -f csv all_solutions.txt
