# --help of the tool; -h is the same.
libperf --help >long
libperf -h | cmp - long
cat long
