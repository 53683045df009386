# An option that the table asked for does not read is refused, not ignored.
d=$TESTDATA/rocprofv3/7.0/sync_each
k() {
	echo "# $*"
	kstats "$@" "$d" 2>&1 | head -n 1
}
k gaps --short 5
k gaps --list --short 5
k timeline --bins 15
k whatif --no-sync --only launches
k whatif --no-sync --sweep
k whatif --no-sync --apart
echo '# read'
kstats gaps -q --fuse --short 5 -f csv "$d" 2>/dev/null | head -n 1
# In a rule it is the same.
tracecheck -q --rule 'gaps --short 5: idle_pct < 1' "$d" 2>&1
echo $?
