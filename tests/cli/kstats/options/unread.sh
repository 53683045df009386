# An option that the table asked for does not read is refused, not ignored.
d=$TESTDATA/rocprofv3/7.0/sync_each
k() {
	echo "# $*"
	kstats "$@" "$d" 2>&1 | head -n 1
}
k gaps --short 5
k gaps --list --short 5
k timeline --bins 15
k timeline --chart --short 5
k gaps --name class
k gaps --hist --name base
k regions --name base
k regions --steps --name base
k path --name class
k top --hist vec --per rank
k whatif --no-sync --only launches
k whatif --no-sync --sweep
k whatif --no-sync --apart
echo '# read'
kstats gaps -q --fuse --short 5 -f csv "$d" 2>/dev/null | head -n 1
# In a rule it is the same.
tracecheck -q --rule 'gaps(--short 5).idle_pct < 1' "$d" 2>&1
echo $?
