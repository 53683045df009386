# Another format than csv has nothing of csv.
libperf trace -q -f json -n 1 --columns library,calls "$TESTDATA/madengine/2.0/logs/node1.log" >out; echo $?
grep -c . out
grep rows -A 3 out
