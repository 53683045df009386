# Where the title of a finding leaves no room for what it could save, it goes on in the next line, whole, and "up to"
# stays in one column.  At 80 columns 80 - 6 - 2 - 15 = 57 are for a title; the longest has 59, up to "5)".  At 120
# they are three fifths, 72, so that commands have room beside it.  Before, it was cut in the middle of its number.
cp -r "$TESTDATA/rocprofv3/7.0/run" run
for width in 60 80 120; do
	COLUMNS=$width kstats -q -n 1 run >out || exit
	sed -n '/^[!-]  1/,/^$/p' out
done
