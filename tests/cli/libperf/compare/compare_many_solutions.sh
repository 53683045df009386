# Every solution was tried on one side: the winner is compared, 9.25 us.  Without the Winner block it is the best.
cd "$TESTDATA/hipblaslt/6.3/bench" || exit 2
sed -n '/^\[1\]/,/^\[2\]/p' all_solutions.txt | sed 's/,9.25$/,18.5/' >"$TMPDIR/new.txt"
libperf compare -q -f csv --columns problem,base_us,new_us,speedup,note all_solutions.txt "$TMPDIR/new.txt"
status=$?
rm "$TMPDIR/new.txt"
exit $status
