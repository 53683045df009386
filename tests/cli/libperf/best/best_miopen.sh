# Convolutions by direction, from the command line in the log; other drivers by their words.
cd "$TESTDATA" || exit 2
libperf best -f csv --columns problem,library,us,config miopen
