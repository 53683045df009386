# A trace has no columns that a key could name.
cd "$TESTDATA" || exit 2
libperf compare --key m --trace madengine/2.0/library/library_trace.csv hipblaslt/7.0/bench/default.txt \
	hipblaslt/7.0/bench/tuned.txt
