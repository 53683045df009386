# With --threshold 2 everything that differs by more is a finding, unless its repeats say otherwise.
cd "$TESTDATA/hipblaslt/7.0/bench" || exit 2
libperf compare -q -f csv --columns problem,status,speedup,significant --threshold 2 default.txt tuned.txt
