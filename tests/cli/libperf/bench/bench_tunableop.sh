# TunableOp has no header; its Validator lines hold for every row.
cd "$TESTDATA/pytorch/2.4/tunableop" || exit 2
libperf bench full_tuned0.csv
