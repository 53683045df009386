# Counters that did not fit are told to who looks at counters, of the files as of their run.db.
ln -s "$TESTDATA" data
tracemerge -q -o run.db data/rocprofv2/6.1/hostile
for c in top summary; do
	kstats "$c" -f csv data/rocprofv2/6.1/hostile 2>want.err | grep -v command >want
	kstats "$c" -f csv run.db 2>got.err | grep -v command >got
	cmp want got && cmp want.err got.err && echo the same
done
