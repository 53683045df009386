# Nothing can be written.
libperf trace -q "$TESTDATA/madengine/2.0/logs/node0.log" >/dev/full
