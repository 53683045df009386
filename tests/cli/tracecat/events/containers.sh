# The same bytes out of a file, gzip, zstd, tar, standard input and a pipe with a member in it.
f=$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv
tracecat "$f" >plain.csv
gzip -c "$f" >a.csv.gz
zstd -q -c "$f" >a.csv.zst
tar cf a.tar -C "$TESTDATA/rocprofv3/7.0/run" app_kernel_trace.csv
for x in a.csv.gz a.csv.zst a.tar -; do
	tracecat "$x" <"$f" >other.csv
	cmp plain.csv other.csv
done
tracecat <a.tar >other.csv
cmp plain.csv other.csv
