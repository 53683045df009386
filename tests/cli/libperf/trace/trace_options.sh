# What is the same in every row: said, or that of the tables read where all of them say one thing.
log=$TESTDATA/madengine/2.0/logs/node1.log
set -e
libperf trace -q --job 7 --date '2026-06-12 09:30:59' --model 'a, b' -n 1 "$log" >one.csv
libperf trace -q --model other -n 1 "$log" >two.csv
libperf trace -q --columns jobid,created_date,model one.csv
libperf trace -q --columns jobid,created_date,model --job 9 one.csv
libperf trace -q --columns jobid,created_date,model one.csv two.csv
