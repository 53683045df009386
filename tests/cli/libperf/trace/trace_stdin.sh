# Standard input, also compressed.
log=$TESTDATA/madengine/2.0/logs/node1.log
set -e
libperf trace <"$log" >plain
gzip -c "$log" | libperf trace - >packed
cmp plain packed
tr '\r' '!' <plain
