# Lists of the first screen go on in the next line after an item, not inside of one: after "," in ASCII, after U+00B7 in
# UTF-8, and after ":".  At 70 columns the words before "1 GPU", and those before the targets, fit.
run=$TESTDATA/rocprofv3/7.0/sync_each
for width in 50 70; do
	LC_ALL=C.UTF-8 python3 "$ROOT/tests/cli/term.py" $width dumb kstats -q "$run" >screen || exit
	sed -n -e '1,3p' -e '/^target/,/^$/p' screen
	COLUMNS=$width kstats -q "$run" >screen || exit
	head -n 3 screen
done
