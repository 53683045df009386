# The reader goes away: no word about it.
libperf trace -q "$TESTDATA/madengine/2.0/logs/node0.log" | head -n 1 >out
cut -c 1-20 out
