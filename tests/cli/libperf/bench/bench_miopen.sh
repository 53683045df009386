# Convolutions in three directions; batch normalization without a header; activation with a header of its
# own; softmax, which prints nothing but its time.
cd "$TESTDATA/miopen/3.5/driver" || exit 2
libperf bench conv.txt
