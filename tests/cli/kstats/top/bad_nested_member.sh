# Too deep inside an archive: the member is named, the others count.
ln -s "$TESTDATA" data
set -e
mkdir run
cp data/rocprofv3/7.0/run/app_kernel_trace.csv run/b.csv
cp data/rocprofv3/7.0/run/app_kernel_trace.csv 0.gz
for i in 1 2 3 4 5 6 7 8; do
	gzip -nc $((i - 1)).gz >$i.gz
done
mv 8.gz run/a.gz
tar --sort=name -cf t.tar run
set +e
kstats top -f csv --name base t.tar
