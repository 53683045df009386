# A rule that is no regular expression, a line without a tab, a file without rules: file, line and
# fault.
ln -s "$TESTDATA" data
printf 'ok\tvecAdd\nbad\t[\n' >regex.tsv
printf '# no tab\nbad vecAdd\n' >tab.tsv
: >empty.tsv
for f in regex tab empty; do
	kstats top --classes $f.tsv data/rocprofv3/7.0/run/app_kernel_trace.csv
	echo $?
done
kstats top --classes missing.tsv data/rocprofv3/7.0/run/app_kernel_trace.csv
