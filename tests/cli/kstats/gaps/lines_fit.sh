# The tables of many columns fit a terminal of 80: with one blank between columns where two are too many, and
# without what can be spared.  The causes of a gap go together or stay together.  At 100 there is room for two blanks.
# Where single blanks do not help either, counts of kernels and gaps go, then shares of idle time, and the window, which the parts
# add up to; they stay.  The names of what there is no room for fit, too.
ln -s "$TESTDATA/rocprofv3/7.0" d
for width in 80 100; do
	COLUMNS=$width kstats gaps -q d/sync_each
	COLUMNS=$width kstats gaps -q --list -n 2 d/sync_each
	COLUMNS=$width kstats regions -q -n 3 d/run
	COLUMNS=$width kstats classes -q --explain -n 3 d/demo
done >out
cat out
ln -s "$TESTDATA/kineto" kineto
{
	COLUMNS=80 kstats timeline -q d/demo
	COLUMNS=80 kstats gaps --per queue -q d/demo
	COLUMNS=80 kstats regions --steps -q -n 2 kineto/7.0
	COLUMNS=80 kstats path --steps -q -n 2 d/run
	COLUMNS=80 kstats path --list -q -n 2 kineto/7.0
} >tight
cat tight
awk 'length > 80' tight
# A line of more than 100 columns is one too many.
awk 'length > 100' out
COLUMNS=180 kstats gaps -q --list -n 2 d/sync_each
