# The tables of many columns fit a terminal of 80: with one blank between columns where two are too many, and
# without what can be spared.  The causes of a gap go together or stay together.  At 100 there is room for two blanks.
ln -s "$TESTDATA/rocprofv3/7.0" d
for width in 80 100; do
	COLUMNS=$width kstats gaps -q d/sync_each
	COLUMNS=$width kstats gaps -q --list -n 2 d/sync_each
	COLUMNS=$width kstats regions -q -n 3 d/run
	COLUMNS=$width kstats classes -q --explain -n 3 d/demo
done >out
cat out
# A line of more than 100 columns is one too many.
awk 'length > 100' out
COLUMNS=180 kstats gaps -q --list -n 2 d/sync_each
