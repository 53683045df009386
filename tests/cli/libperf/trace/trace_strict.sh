# Torn calls are an error with --strict; nothing of the rest is lost.
ln -s "$TESTDATA/madengine/2.0/logs" logs
libperf trace --strict -f csv --columns calls logs/node0.log
