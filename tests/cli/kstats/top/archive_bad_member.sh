# A bad member is named with its archive; the others count.
ln -s "$TESTDATA" data
set -e
mkdir run
cp data/rocprofv3/7.0/run/app_kernel_trace.csv run/b.csv
head -c 450 data/rocprofv3/7.0/hostile/one_kernel_trace.csv >run/a.csv
tar --sort=name -cf t.tar run
set +e
kstats top -f csv --name base t.tar
