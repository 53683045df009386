# What people see; a table and a log give the same.
ln -s "$TESTDATA/madengine/2.0/logs/node0.log" node0.log
libperf trace -q node0.log >library_trace.csv
libperf top -q library_trace.csv >one; echo $?
libperf top -q node0.log | cmp - one
cat one
