# A rule that is no regular expression, a line without a tab, without a class or without a rule, a
# file without rules: file, line and fault.
ln -s "$TESTDATA" data
printf 'ok\tvecAdd\nbad\t[\n' >regex.tsv
printf '# no tab\nbad vecAdd\n' >tab.tsv
printf 'ok\tvecAdd\n\n\tvecAdd\n' >class.tsv
printf 'bad\t\n' >rule.tsv
: >empty.tsv
for f in regex tab class rule empty; do
	kstats top --classes $f.tsv data/rocprofv3/7.0/run/app_kernel_trace.csv
	echo $?
done
kstats top --classes missing.tsv data/rocprofv3/7.0/run/app_kernel_trace.csv
