# What RANK= kept apart stays apart when it is merged with more: a trace of that content without a
# number is one of them, in any order.  So merging in steps is merging at once.
# shellcheck source=/dev/null
. "$ROOT/tests/cli/two_ranks"
mv rank0/m_kernel_trace.csv a.csv
cp a.csv b.csv
cp a.csv c.csv
m() {
	out=$1
	shift
	tracemerge --align none -o "$out" "$@" 2>&1 | sed '/seconds$/d'
	sqlite3 "$out" 'SELECT rank, rule, events FROM input ORDER BY rank'
}
echo '# at once'
m all.db 1=a.csv 0=b.csv c.csv
echo '# in steps'
m two.db 1=a.csv 0=b.csv
m x.db two.db c.csv
m x.db c.csv two.db
m x.db two.db 1=c.csv
echo '# of databases'
m c.db c.csv
m x.db two.db c.db
m x.db c.db two.db
m x.db 1=c.db c.csv
echo '# a number for all of them makes one of two'
m x.db 7=two.db
