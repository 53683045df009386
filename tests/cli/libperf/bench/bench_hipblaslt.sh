# Banner, program output between the blocks, solution and kernel behind the values: ten rows, each with the
# device the client says it runs on (the second), and what stands around the values as further columns.
cd "$TESTDATA/hipblaslt/7.0/bench" || exit 2
libperf bench default.txt
