# A row for each library: 343597383680, 118380036096 and 43486543872 of 505463963648.
libperf top --libraries -q -f csv "$TESTDATA/madengine/2.0/logs/node0.log"
