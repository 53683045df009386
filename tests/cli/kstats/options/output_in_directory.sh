# -o with the name of a trace inside a directory that is read: refused as if it were named. Not so what tools wrote
# there before: a page, a table, a timeline next to its traces, and the database of tracemerge, to which it adds.
mkdir run one
cp "$TESTDATA/rocprofv3/7.0/ranks/rank0/"*_kernel_trace.csv run/k.csv && cp run/k.csv one
cp "$TESTDATA/rocprofv3/7.0/ranks/rank1/"*_kernel_trace.csv run/l.csv
kstats top -o run/k.csv run; echo $?
tracemerge -o ./run/l.csv run one; echo $?
tracemerge -o one/k.csv one; echo $?
tracereport -o one/k.csv one; echo $?
tracediff -q -o run/k.csv one run; echo $?
cmp one/k.csv run/k.csv
for _ in 1 2; do
	tracemerge -q -o run/run.db run && kstats top -q -f csv --columns calls,total_ns -o run/top.csv run &&
		tracereport -q -o run/report.html run && tracecat -q --to pftrace -o run/t.pftrace run &&
		tracecat -q -o run/all.csv run && cat run/top.csv
done
kstats top -q -o run/run.db run
