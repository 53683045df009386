# A file that is not there, beside a good one.
libperf trace -f csv --columns library,calls missing.log "$TESTDATA/madengine/2.0/logs/node1.log"
