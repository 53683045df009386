# Runs that are incomplete, and have no time that could decide (statistics have no steps and no window): the rows are
# shown, the breakdown is empty, and status is 2.  It was a division by zero.
cd "$TESTDATA/rocprofv3/resnet" || exit 2
for on in steps window; do
	tracediff -f csv --columns name,status,note --on $on 2117183_kernel_stats.csv 2118357_kernel_stats.csv 2>/dev/null | tail -n 1
	tracediff -q -f csv --account --on $on 2117183_kernel_stats.csv 2118357_kernel_stats.csv 2>&1 | grep -v comparable
	tracediff -q --on $on 2117183_kernel_stats.csv 2118357_kernel_stats.csv >"$OLDPWD/out" 2>&1
	echo "status $?"
done
tail -n 1 "$OLDPWD/out"
