# Torn calls are an error with --strict; nothing of the rest is lost.
libperf trace --strict -f csv --columns calls "$TESTDATA/madengine/2.0/logs/node0.log"
