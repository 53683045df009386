# --trace of something else.
cd "$TESTDATA" || exit 2
libperf compare -q -f csv -n 1 --columns problem,calls --trace hipblaslt/7.0/bench/tuned.txt \
	hipblaslt/7.0/bench/default.txt hipblaslt/7.0/bench/tuned.txt
