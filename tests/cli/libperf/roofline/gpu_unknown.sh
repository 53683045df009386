# A product that nobody knows is refused, as by kstats roofline, and not ignored.
cd "$TESTDATA" || exit 2
libperf roofline --gpu abc hipblaslt/7.0/bench/default.txt
