# Two nodes: 8 + 1 calls of the first, 5 + 2 of hipblaslt, 4 + 1 convolutions, 5 + 1 kernels, 10 + 1 calls of
# the profile.  Neither the order of the files nor whether one was counted before makes a difference.
ln -s "$TESTDATA/madengine/2.0/logs" logs
libperf trace -q logs/node0.log logs/node1.log >both.csv; echo $?
libperf trace -q logs/node1.log logs/node0.log | cmp - both.csv
libperf trace -q logs/node1.log >one.csv
libperf trace -q one.csv logs/node0.log | cmp - both.csv
libperf trace -q logs | cmp - both.csv
libperf trace -q both.csv | cmp - both.csv
libperf trace -q -f csv --columns library,calls both.csv
